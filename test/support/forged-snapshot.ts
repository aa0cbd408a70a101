import { createHash } from 'node:crypto'

export interface Forged {
  // oxlint-disable-next-line typescript/no-explicit-any -- a forger writes anything
  readonly [field: string]: any
}

/** What the sandbox would take for its own: only the checksum is recomputed. */
export function forged(snapshot: Forged, changes: Forged): Forged {
  const whole: Forged = { ...snapshot, ...changes }
  const { format, version, clock, chance, readings, entries, requests } = whole
  const lists = [
    digest(entries.map(({ head, body }: Forged) => [sorted(head), body])),
    digest(requests.map(sorted)),
  ]
  const first = [format, version, sorted(clock), chance, sorted(readings), lists]
  return { ...whole, checksum: createHash('sha256').update(JSON.stringify(first)).digest('hex') }
}

function digest(items: readonly unknown[]): string {
  const hash = createHash('sha256')
  for (const item of items) hash.update(`${JSON.stringify(item)}\n`)
  return hash.digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => [key, sorted(child)])
}
