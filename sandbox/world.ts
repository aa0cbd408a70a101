import { createHash } from 'node:crypto'
import type { Snapshot } from '../spec/generated/control-types.ts'
import { shownClock } from './control/clock.ts'
import { ApiError } from './http/api-error.ts'
import type { Ports } from './ports.ts'
import type { Entry, Head } from './state/entries.ts'
import type { RequestLog } from './state/request-log.ts'
import type { Store } from './state/store.ts'
import { VERSION } from './version.ts'

export interface WorldPorts extends Pick<Ports, 'clock' | 'random' | 'origin'> {
  readonly store: Store
  readonly requests: RequestLog
  /** Why the world cannot be replaced now; throws it. */
  readonly refuseWhile: () => void
  /** Makes everything that knew the world before know this one. */
  readonly onReplaced: (reason: 'reset' | 'snapshot') => void
}

/** Everything that there is, as one thing. */
export interface World {
  /** Counts the worlds that there were: what began in another one must not end in this one. */
  readonly number: number
  snapshot(): Snapshot
  /** All of it or, if it throws, nothing. Throws ApiError `invalid` for one that is damaged. */
  restore(snapshot: Snapshot): void
  reset(): void
}

const FORMAT = 1

export function createWorld(ports: WorldPorts): World {
  const { clock, random, origin, store, requests, refuseWhile, onReplaced } = ports
  let number = 1

  interface Beginning {
    readonly at: number
    readonly speed: number
    readonly chance: number | null
  }

  function replace(entries: readonly Entry[], { at, speed, chance }: Beginning): void {
    refuseWhile()
    store.replace(entries)
    number++
    clock.restartAt(at, speed)
    if (chance !== null) random.restore(chance)
  }

  return {
    get number() {
      return number
    },
    snapshot() {
      const entries = store.entries().map(({ head, body }) => ({ head: { ...head }, body }))
      const whole = {
        format: FORMAT,
        version: VERSION,
        clock: shownClock(clock),
        chance: random.state(),
        entries,
        requests: requests.list().map((request) => ({ ...request })),
      } as const
      return { ...whole, checksum: checksumOf(whole) }
    },
    restore({ checksum, ...whole }) {
      if (checksum !== checksumOf(whole)) {
        const message = 'Cannot put the snapshot back: it was changed or cut off; take another'
        throw new ApiError('invalid', { code: 'damaged_snapshot', field: 'checksum', message })
      }
      const { speed, now } = whole.clock
      replace(whole.entries.map(entryOf), { at: Date.parse(now), speed, chance: whole.chance })
      requests.replace(whole.requests)
      onReplaced('snapshot')
    },
    reset() {
      replace([], origin())
      requests.replace([])
      onReplaced('reset')
    },
  }
}

function entryOf({ head, body }: Snapshot['entries'][number]): Entry {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checksum says that it is as we took it
  return { head: head as unknown as Head, body }
}

/** Whatever the order of its keys. */
function checksumOf({
  format,
  version,
  clock,
  chance,
  entries,
  requests,
}: Omit<Snapshot, 'checksum'>): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([format, version, sorted(clock), chance, requests.map(sorted)]))
  for (const { head, body } of entries) hash.update(JSON.stringify([sorted(head), body]))
  return hash.digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => [key, sorted(child)])
}
