import {type PodAnswer, textAnswer} from './pod-port.ts'

/** Headers of Envoy's admin answers. */
export function envoyHeaders(contentType: string): Record<string, string> {
  return {
    'content-type': contentType,
    'cache-control': 'no-cache, max-age=0',
    'x-content-type-options': 'nosniff',
    server: 'envoy',
  }
}

/** A value as the admin port writes JSON. */
export function envoyJson(value: unknown): PodAnswer {
  return {
    status: 200,
    headers: envoyHeaders('application/json'),
    body: Buffer.from(`${JSON.stringify(value, undefined, 1)}\n`),
  }
}

/** A text of the admin port, such as a refusal. */
export function envoyText(status: number, text: string): PodAnswer {
  return textAnswer(status, text, 'text/plain; charset=UTF-8', envoyHeaders('text/plain; charset=UTF-8'))
}
