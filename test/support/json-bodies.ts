import type { Forged } from './stores.ts'

/** Encodes a body as JSON, or a snapshot as JSON Lines. */
export function encodeBody(url: string, body: unknown) {
  const isSnapshot = url.endsWith('/control/snapshot')
  return {
    type: isSnapshot ? 'application/jsonl' : 'application/json',
    text: isSnapshot ? toSnapshotLines(Object(body)) : JSON.stringify(body),
  }
}

export function toSnapshotLines({ entries = [], requests = [], checksum, ...first }: Forged): string {
  return [first, ...requests, ...entries, { checksum }].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Reads a JSON body, or a snapshot in JSON Lines. */
export async function decodeBody(response: Response): Promise<Forged> {
  const text = await response.text()
  if (response.headers.get('content-type') === 'application/jsonl') return readSnapshotLines(text)
  return JSON.parse(text === '' ? 'null' : text)
}

export function readSnapshotLines(text: string): Forged {
  const [first, ...lines] = text
    .trimEnd()
    .split('\n')
    .map((line): Forged => JSON.parse(line))
  return {
    ...first,
    requests: lines.filter((line) => 'method' in line),
    entries: lines.filter((line) => 'head' in line),
    ...lines.at(-1),
  }
}
