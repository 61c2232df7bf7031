/** @type {import('@jest/types').Config.InitialOptions} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {'\\.ts$': '<rootDir>/test/support/strip-types.cjs'},
  // Node's own console: what a command prints is compared as it stands, without Jest's decoration.
  setupFiles: ['<rootDir>/test/support/plain-console.cjs'],
}
