import {type Certificate, certificateStatus, type KeyInfo} from '../domain/certificate.ts'
import {durationText, rfc3339} from './time-text.ts'

/** `VALID, 18h of 24h left (75%)`, `EXPIRED 2h ago`, `NOT_YET_VALID, starts in 3m`; as of `nowS`, seconds since 1970. */
export function validityText(certificate: Certificate, nowS: number): string {
  const {notBeforeMs, notAfterMs} = certificate
  const status = certificateStatus(certificate, nowS * 1000)
  const left = Math.floor(notAfterMs / 1000) - nowS
  if (status === 'EXPIRED') {
    return left < 0 ? `EXPIRED ${durationText(-left)} ago` : 'EXPIRED: it ends before it starts'
  }
  if (notBeforeMs === undefined) return `${status}, ${durationText(left)} left`
  const start = Math.floor(notBeforeMs / 1000)
  if (status === 'NOT_YET_VALID') return `${status}, starts in ${durationText(start - nowS)}`
  const life = left + nowS - start
  const share = life === 0 ? 0 : Math.floor((100 * left) / life)
  return `${status}, ${durationText(left)} of ${durationText(life)} left (${share}%)`
}

/** `EC P-256`, `RSA 2048`, `Ed25519`; empty where it is not known. */
export function keyText(key: KeyInfo | undefined): string {
  if (key === undefined || key.type === 'unknown') return ''
  const {type, size, curve} = key
  return [type, curve ?? (type === 'RSA' || type === 'DSA' ? size : undefined)]
    .filter((part) => part !== undefined)
    .join(' ')
}

/** RFC 3339; empty where it is not known. */
export function timeText(ms: number | undefined): string {
  return ms === undefined ? '' : rfc3339(ms)
}
