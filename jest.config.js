/** @type {import('@jest/types').Config.InitialOptions} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // They need a mesh, which `npm run test:real` brings up.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/real/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {'\\.ts$': '<rootDir>/test/support/strip-types.cjs'},
  // Node's own console: what a command prints is compared as it stands, without Jest's decoration.
  // A machine that does other things beside is no reason to fail: nothing is tested for how long it takes.
  testTimeout: 30_000,
  globalSetup: '<rootDir>/test/support/own-temp-folder.js',
  setupFiles: ['<rootDir>/test/support/plain-console.cjs'],
}
