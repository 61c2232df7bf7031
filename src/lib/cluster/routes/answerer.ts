import type {Answerer, Conversation, Notice} from '../../domain/access.ts'
import type {ProbeError} from '../../domain/failure.ts'
import type {PodRef} from '../../domain/pod.ts'
import type {Route} from '../../domain/question.ts'
import {scrub} from '../../scrub/scrub.ts'
import {PodConversation} from './pod-conversation.ts'
import {ApiRoute} from './route-api.ts'
import {ExecRoute} from './route-exec.ts'
import {PodProxyRoute} from './route-pod-proxy.ts'
import {PortForwardRoute} from './route-port-forward.ts'
import type {KubeSession} from '../connect/session.ts'

export interface AnswererOptions {
  /** `auto`: as each question says; else that route alone, beside the API server's own objects. */
  readonly via: 'auto' | 'port-forward' | 'exec' | 'pod-proxy'
  readonly notice: Notice
  readonly nowMs: () => number
  /** Where a directory of our own may be made, for as long as a Unix socket is needed. */
  readonly tempDir: string
  /** Takes key material out of a body; the room `scrub` where it is not given. */
  readonly scrub?: (body: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
}

/** Answers from a live cluster: each question by the first of its routes that gets through. */
export function createAnswerer(session: KubeSession, options: AnswererOptions): Answerer {
  const forbidden = new Map<string, ProbeError>()
  const {via, nowMs, notice, tempDir} = options
  return {
    open(pod: PodRef, ports: readonly number[], deadlineAtMs?: number): Conversation {
      return new PodConversation({
        pod,
        forbidden,
        nowMs,
        notice,
        allows: (route: Route) => via === 'auto' || route === via || route === 'api',
        scrub: options.scrub ?? scrub,
        ...(deadlineAtMs !== undefined && {deadlineAtMs}),
        routes: [
          new PortForwardRoute(session, pod, ports, nowMs),
          new ExecRoute(session, pod, nowMs, tempDir),
          new PodProxyRoute(session, pod),
          new ApiRoute(session),
        ],
      })
    },
  }
}
