// Run by Bun, whose child processes report their own CPU time and peak memory.
declare const Bun: {
  spawn(
    command: readonly string[],
    options: {readonly env: Readonly<Record<string, string>>; readonly stdout: 'ignore'; readonly stderr: 'ignore'},
  ): {
    readonly exited: Promise<number>
    resourceUsage(): {readonly cpuTime: {readonly total: bigint}; readonly maxRSS: number}
  }
}

/** One process from start to end. */
interface Sample {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakMb: number
  readonly exit: number
}

/** Medians of several processes. */
export interface Figures {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakMb: number
  readonly exits: readonly number[]
}

/** Runs a command in `env` alone, and throws away what it writes. */
export async function once(command: readonly string[], env: Readonly<Record<string, string>>): Promise<Sample> {
  const begun = performance.now()
  const child = Bun.spawn(command, {env, stdout: 'ignore', stderr: 'ignore'})
  const exit = await child.exited
  const wallMs = performance.now() - begun
  const {cpuTime, maxRSS} = child.resourceUsage()
  return {wallMs, cpuMs: Number(cpuTime.total) / 1000, peakMb: maxRSS / 1024 / 1024, exit}
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** What came out of commands that ran in turn. */
interface Compared {
  readonly figures: Readonly<Record<string, Figures>>
  /** Median of one command's figure by the other's of the same turn; of the wall time where nothing else is said. */
  readonly ratios: (a: string, b: string, figure?: 'wallMs' | 'cpuMs' | 'peakMb') => number
}

/** Medians of each command, all run in turn A B C A B C …, after one warm-up that does not count. */
export async function interleave(
  commands: Readonly<Record<string, readonly string[]>>,
  runs: number,
  env: Readonly<Record<string, string>>,
): Promise<Compared> {
  const samples = Object.fromEntries(Object.keys(commands).map((name): [string, Sample[]] => [name, []]))
  for (let turn = -1; turn < runs; turn += 1) {
    for (const [name, command] of Object.entries(commands)) {
      const sample = await once(command, env)
      if (turn >= 0) samples[name]?.push(sample)
    }
  }
  const figures = Object.fromEntries(
    Object.entries(samples).map(([name, all]) => [
      name,
      {
        wallMs: median(all.map(({wallMs}) => wallMs)),
        cpuMs: median(all.map(({cpuMs}) => cpuMs)),
        peakMb: median(all.map(({peakMb}) => peakMb)),
        exits: [...new Set(all.map(({exit}) => exit))],
      },
    ]),
  )
  const ratios: Compared['ratios'] = (a, b, figure = 'wallMs') =>
    median((samples[a] ?? []).map((sample, index) => sample[figure] / (samples[b]?.[index]?.[figure] ?? Number.NaN)))
  return {figures, ratios}
}

/** Prints one command's figures. */
export function printFigures(name: string, {wallMs, cpuMs, peakMb, exits}: Figures, more = ''): void {
  const columns = [
    name.padEnd(34),
    `${wallMs.toFixed(0).padStart(7)} ms`,
    `${cpuMs.toFixed(0).padStart(7)} ms CPU`,
    `${peakMb.toFixed(0).padStart(5)} MB`,
    `exit ${exits.join(',')}`,
    more,
  ]
  process.stdout.write(`${columns.join('  ').trimEnd()}\n`)
}
