import type {Counters} from '../counters.ts'
import type {PodHttpServer} from '../streams/pod-http-server.ts'
import type {World} from '../world.ts'
import type {Tokens} from './authenticate.ts'
import type {Switches} from './switches.ts'

/** What the handlers of the embedded API server share. */
export interface ServerContext {
  readonly world: World
  readonly switches: Switches
  readonly counters: Counters
  readonly tokens: Tokens
  readonly podHttp: PodHttpServer
  readonly nowMs: () => number
}
