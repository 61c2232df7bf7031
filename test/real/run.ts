import {runOnParts} from './run-on-parts.ts'

// The tests on real parts; further arguments go to Jest.
await runOnParts('inside.ts')
