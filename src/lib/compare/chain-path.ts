import type {Certificate} from '../domain/certificate.ts'
import {isSignedBy, type Signatures} from '../domain/signatures.ts'
import type {Held} from './held.ts'

/** The leaf, who of its chain has signed it, who has signed that, and so on. */
export function chainPath({item}: Held, signatures: Signatures): readonly Certificate[] {
  const [leaf, ...rest] = item.certificates
  const path: Certificate[] = []
  let next = leaf?.readable === true ? leaf : undefined
  while (next !== undefined) {
    const subject: Certificate = next
    path.push(subject)
    next = subject.selfSigned
      ? undefined
      : rest
          .filter((block) => block.readable)
          .find((block) => !path.includes(block) && isSignedBy(subject, block, signatures) === true)
  }
  return path
}

/** Whether a certificate is this root, or one that the root has signed. */
export function leadsTo(subject: Certificate, root: Certificate, signatures: Signatures): boolean {
  const isItself = root.fingerprint !== undefined && root.fingerprint === subject.fingerprint
  return isItself || isSignedBy(subject, root, signatures) === true
}
