import {runCommand} from './run-command.ts'

/** One certificate as openssl reads it. */
export interface Witnessed {
  /** Lower-case hex, an even number of digits. */
  readonly serial: string
  readonly fingerprint: string
  readonly notBefore: string
  readonly notAfter: string
}

/** Reads the first certificate of a PEM with openssl. */
export async function witness(pem: string): Promise<Witnessed> {
  const args = ['-noout', '-serial', '-fingerprint', '-sha256', '-dates', '-dateopt', 'iso_8601']
  const text = await runCommand(['openssl', 'x509', ...args], {input: pem})
  const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'imu').exec(text)?.[1] ?? ''
  const serial = value('serial').toLowerCase()
  return {
    serial: serial.length % 2 === 0 ? serial : `0${serial}`,
    fingerprint: value('sha256 Fingerprint').replaceAll(':', '').toLowerCase(),
    notBefore: value('notBefore').replace(' ', 'T'),
    notAfter: value('notAfter').replace(' ', 'T'),
  }
}
