import {runOnParts} from '../run-on-parts.ts'

// The race against istioctl and kubectl, on real parts.
await runOnParts('race/inside.ts')
