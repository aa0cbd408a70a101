import { createHash } from 'node:crypto'
import type { RequestRecord, Snapshot, SnapshotEntry } from '../../spec/generated/control-types.ts'

/** What a snapshot has beside its two long lists. */
export type SnapshotFrame = Omit<Snapshot, 'entries' | 'requests' | 'checksum'>

/** The checksum of a snapshot whose items come one by one, whatever the order of its fields and of their keys. */
export interface SnapshotChecksum {
  addEntry(entry: SnapshotEntry): void
  addRequest(request: RequestRecord): void
  digest(frame: SnapshotFrame): string
}

export function createSnapshotChecksum(): SnapshotChecksum {
  const [entries, requests] = [createHash('sha256'), createHash('sha256')]
  return {
    addEntry: ({ head, body }) => void entries.update(`${JSON.stringify([sortKeys(head), body])}\n`),
    addRequest: (request) => void requests.update(`${JSON.stringify(sortKeys(request))}\n`),
    digest({ format, version, clock, chance, readings }) {
      const lists = [entries.digest('hex'), requests.digest('hex')]
      const whole = [format, version, sortKeys(clock), chance, sortKeys(readings), lists]
      return createHash('sha256').update(JSON.stringify(whole)).digest('hex')
    },
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => [key, sortKeys(child)])
}
