import {countOf} from '../domain/count-text.ts'
import {podKey, type PodRef} from '../domain/pod.ts'

/** Pods that a finding names. */
const MAX_NAMES = 3

/** `count` where only the first are given: `2 pods (shop/cart-1, shop/web-1)`, `3 pods (a, b, c)`, `200 pods (a, b, c, …)`. */
export function podsText(pods: readonly PodRef[], count = pods.length): string {
  const names = pods.slice(0, MAX_NAMES).map(podKey)
  const more = count > names.length ? [...names, '…'] : names
  return `${countOf(count, 'pod')} (${more.join(', ')})`
}
