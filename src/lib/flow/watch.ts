import type {PodItem} from '../domain/report.ts'

/** Who watches a run from outside; nothing that it does changes the run. */
export interface Watch {
  /** A page was listed: its pods, those of them that are selected, and how many follow, where the server says so. */
  listed(pods: number, selected: number, remaining: number | undefined): void
  /** A pod was looked at to the end; not in list order. */
  looked(item: PodItem): void
  /** No pod is looked at any more; what is said of all of them follows. */
  ended(): void
}
