/** Digits of a fingerprint that a table shows; `--expect` and `--without` take them for the whole. */
export const SHORT_FINGERPRINT = 16
