import * as Flags from '@oclif/core/flags'

/** What is asked of the fleet's roots. A default from the environment would change what a run is about. */
export const rootFlags = {
  expect: Flags.string({
    helpGroup: 'ROOTS',
    helpValue: 'ROOT',
    description: 'may certificates be signed with it? Ends with 1 where some pod does not trust it',
  }),
  without: Flags.string({
    helpGroup: 'ROOTS',
    helpValue: 'ROOT',
    description: 'may it go? Ends with 1 where some pod would break; ROOT is a SHA-256 fingerprint or a PEM file',
  }),
}
