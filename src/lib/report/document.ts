import type {FleetReport, PodItem, ReportEvent} from '../domain/report.ts'
import type {RenderStyle} from './style.ts'
import {type Summary, summarise} from './summary.ts'
import {rfc3339} from './time-text.ts'
import type {Fields, View} from './view.ts'
import {dropAbsent} from './drop-absent.ts'
import type {FleetWire, PageWire, StoppedWire} from './wire/document.schema.ts'
import {writeFinding} from './wire/write-pod-item.ts'

export const API_VERSION = 'agentctl/v1'

/** What stands in a document before its items. */
export function documentHead(view: View<never>, style: RenderStyle): Fields {
  return {
    apiVersion: API_VERSION,
    kind: view.kind,
    metadata: {generatedAt: rfc3339(style.generatedAtMs), contexts: [...style.contexts]},
  }
}

/** Gathers what stands in a document after its items. */
export interface DocumentTail<Item extends PodItem> {
  take(event: ReportEvent<Item>): void
  page(): PageWire
  stopped(): StoppedWire | undefined
  fleet(): FleetWire
  summary: Summary
  /** All of it, in order. */
  fields(): Fields
}

/** A tail for one run; takes every event once. */
export function documentTail<Item extends PodItem>(view: View<Item>, style: RenderStyle): DocumentTail<Item> {
  const summary = summarise(view)
  let page: PageWire = {consistent: true}
  let stopped: StoppedWire | undefined
  // Nothing was said of the fleet unless an event says so.
  let fleet: FleetWire = {complete: false, findings: []}

  const writeFleet = (event: FleetReport): FleetWire => ({
    complete: event.complete,
    findings: event.findings.map(writeFinding),
    ...view.fleet?.wire(event, style),
  })

  return {
    take(event) {
      summary.take(event)
      if (event.type === 'page') page = writePage(event, page.consistent)
      if (event.type === 'fleet') fleet = writeFleet(event)
      if (event.type === 'stopped') {
        stopped = dropAbsent({code: event.code, message: event.message, hint: event.hint})
        if (event.cursor !== undefined) page = {continue: event.cursor, consistent: page.consistent}
      }
    },
    page: () => page,
    stopped: () => stopped,
    fleet: () => fleet,
    summary,
    fields: () => dropAbsent({page, stopped, fleet, summary: summary.wire()}),
  }
}

function writePage({cursor, remaining, consistent}: ReportEvent & {type: 'page'}, wasConsistent: boolean): PageWire {
  return dropAbsent<PageWire>({continue: cursor, remaining, consistent: consistent && wasConsistent})
}
