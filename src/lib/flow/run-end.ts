/** The user ended the run. */
export class RunInterrupted extends Error {
  override readonly name = 'RunInterrupted'
}

/** `--timeout` ended the run. */
export class RunTimeout extends Error {
  override readonly name = 'RunTimeout'
}
