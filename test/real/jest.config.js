import common from '../../jest.config.js'

/** @type {import('@jest/types').Config.InitialOptions} */
export default {
  ...common,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/real/suites/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Most of them wait for certificates to be renewed or to end, each on pods of its own.
  maxWorkers: 3,
  testTimeout: 180_000,
}
