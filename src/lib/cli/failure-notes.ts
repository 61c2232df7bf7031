import {countOf} from '../domain/count-text.ts'
import type {Failure} from '../domain/failure.ts'
import {type Pod, podKey} from '../domain/pod.ts'
import type {PodItem} from '../domain/report.ts'

/** Distinct failures that are told, each with its hint; past that they are counted, and stand in the document. */
const MAX_TOLD = 5

interface Told {
  readonly failure: Failure
  /** Pods that say the same of themselves. */
  pods: number
}

/**
 * What of the selected pods could not be seen, once for each text, however many pods say it: a table shows rows, and a
 * part that is missing has none. A pod's own name in it does not make a text another.
 */
export class FailureNotes {
  readonly #word: 'Warning' | 'Note'
  readonly #told = new Map<string, Told>()
  #untold = 0

  constructor(word: 'Warning' | 'Note') {
    this.#word = word
  }

  take({pod, failures}: PodItem): void {
    // What two sources of a pod met alike, such as a node that cannot be reached, is one failure.
    for (const [text, failure] of new Map(failures.map((each) => [textOf(each, pod), each]))) {
      const known = this.#told.get(text)
      if (known !== undefined) known.pods += 1
      else if (this.#told.size < MAX_TOLD) this.#told.set(text, {failure, pods: 1})
      else this.#untold += 1
    }
  }

  lines(): readonly string[] {
    const hints = new Set<string>()
    const lines: string[] = []
    for (const {failure, pods} of this.#told.values()) {
      lines.push(`${this.#word}: ${failure.message}${pods === 1 ? '' : ` (and so ${countOf(pods - 1, 'more pod')})`}`)
      const {hint} = failure
      if (hint === undefined || hints.has(hint)) continue
      hints.add(hint)
      lines.push(`Hint: ${hint}`)
    }
    if (this.#untold > 0)
      lines.push(`${this.#word}: ${countOf(this.#untold, 'more failure')}: -o json shows them with their pods`)
    return lines
  }
}

/** A failure's text without the pod that it tells of. */
function textOf({message}: Failure, pod: Pod): string {
  return message.replaceAll(podKey(pod), '')
}
