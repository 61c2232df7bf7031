import type * as X509 from '@peculiar/x509'

/**
 * The X.509 library, with the polyfill that it must find in place. Loaded one after the other: a bundler may put two
 * static imports in another order than they were written in.
 */
export async function loadX509(): Promise<typeof X509> {
  await import('reflect-metadata')
  return await import('@peculiar/x509')
}
