import {readdir, readFile} from 'node:fs/promises'
import {waitUntil} from '../wait-until.ts'

/** The process of a program in an injected pod, as seen from its node: the agent has told each who it is. */
export async function podProcess(pod: string, program: 'pilot-agent' | 'envoy'): Promise<number> {
  return await waitUntil(`${program} of ${pod}`, 30_000, async () => {
    for (const name of await readdir('/proc')) {
      if (/^\d+$/u.test(name) && (await isProgram(name, pod, program))) return Number(name)
    }
    return undefined
  })
}

async function isProgram(pid: string, pod: string, program: string): Promise<boolean> {
  try {
    const [command = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    if (command !== `/usr/local/bin/${program}`) return false
    return (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').includes(`POD_NAME=${pod}`)
  } catch {
    // It has ended meanwhile.
    return false
  }
}
