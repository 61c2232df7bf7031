import type {PodItem, ReportEvent} from '../../domain/report.ts'
import type {Note} from '../style.ts'
import type {View} from '../view.ts'

/** Certificates alone, for other programs. */
export async function* renderPem<Item extends PodItem>(
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  note: Note,
): AsyncGenerator<string> {
  let hasCertificate = false
  for await (const event of events) {
    if (event.type !== 'item') continue
    const text = view.pem?.(event.item) ?? ''
    hasCertificate ||= text.includes('-----BEGIN CERTIFICATE-----')
    yield text
  }
  if (!hasCertificate) note('No certificate stands in the answers: what is known of them is in -o json')
}
