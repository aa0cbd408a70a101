import { createHash } from 'node:crypto'
import { OPERATIONS } from '../../spec/generated/control-operations.ts'
import type { Snapshot } from '../../spec/generated/control-types.ts'
import { MODELS } from '../../spec/generated/models.ts'
import { readings, readingValues } from '../../spec/readings.ts'
import { kindOf, type NotifiedType } from '../../spec/notifications.ts'
import type { Validator } from '../../spec/validator.ts'
import { validators } from '../../spec/validators.ts'
import { toClock } from '../api/control/clock.ts'
import { toProblem } from '../api/operations/validation-problem.ts'
import { ApiError } from '../engine/core/api-error.ts'
import { FASTEST } from '../engine/core/ports.ts'
import { VERSION } from '../engine/core/version.ts'
import { parseKind, parseOutcome } from '../engine/payments/payment-terms.ts'
import type { Entry, Head } from '../engine/state/entries.ts'
import { hasFittingBody } from '../engine/state/entry-kinds.ts'
import type { LiveReadings } from '../engine/state/live-readings.ts'
import type { Advance } from './advance.ts'
import type { Dependencies, Wiring } from './wiring.ts'

/** The whole state of the sandbox, to save, restore and reset. */
export interface World {
  /** Counts resets and restored snapshots: what began in one epoch must not end in another. */
  readonly epoch: number
  snapshot(): Snapshot
  /** All of it or, if it throws, nothing. Throws ApiError `invalid` for one that is damaged. */
  restore(snapshot: Snapshot): void
  reset(): void
}

const FORMAT = 2

/** What a world begins with, beside its history. */
interface Beginning {
  readonly at: number
  readonly speed: number
  readonly chance: number | null
  readonly readings?: Readonly<Record<string, string>>
}

export interface WorldOptions {
  readonly advance: Pick<Advance, 'refuseWhileUnderWay'>
  /** Called when the store, the clock and the readings are those of the new world. */
  readonly onReplaced: () => void
}

export function createWorld(dependencies: Dependencies, wiring: Wiring, options: WorldOptions): World {
  const { clock, random, origin } = dependencies.ports
  const { store, requests, liveReadings, unsubscribed, events } = wiring
  let epoch = 1

  function replace(entries: readonly Entry[], { at, speed, chance, readings: chosen }: Beginning): void {
    options.advance.refuseWhileUnderWay('replace the world')
    store.replace(entries)
    epoch++
    clock.restartAt(at, speed)
    random.restore(chance)
    liveReadings.reload(chosen)
  }

  function notifyReplaced(reason: 'reset' | 'snapshot'): void {
    unsubscribed.forget()
    options.onReplaced()
    events.emitReplaced(reason)
  }

  return {
    get epoch() {
      return epoch
    },
    snapshot() {
      const entries = store.entries().map(({ head, body }) => ({ head: { ...head }, body }))
      const whole = {
        format: FORMAT,
        version: VERSION,
        clock: toClock(clock),
        chance: random.state(),
        readings: completeReadings(liveReadings),
        entries,
        requests: requests.list().map((request) => ({ ...request })),
      } as const
      return { ...whole, checksum: computeChecksum(whole) }
    },
    restore({ checksum, ...whole }) {
      if (checksum !== computeChecksum(whole)) refuseDamaged('checksum', 'it was changed or cut off')
      const { speed, now } = whole.clock
      const entries = whole.entries.map(toEntry)
      refuseUnfit({ ...whole, entries }, dependencies, wiring)
      replace(entries, { ...whole, at: Date.parse(now), speed })
      requests.replace(whole.requests)
      notifyReplaced('snapshot')
    },
    reset() {
      replace([], origin())
      requests.replace([])
      notifyReplaced('reset')
    },
  }
}

/** An option for each reading that can be chosen, whether it was or not: another sandbox may have begun with others. */
function completeReadings({ chosen }: Pick<LiveReadings, 'chosen'>): Record<string, string> {
  const now = chosen()
  return Object.fromEntries(
    readings.flatMap(({ id, kind, default: fallback }) =>
      kind === 'shape' ? [] : [[id, now[id] ?? fallback]],
    ),
  )
}

function toEntry({ head, body }: Snapshot['entries'][number]): Entry {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked against the schema; `Head` only says more exactly what that can hold
  return { head: head as Head, body }
}

/** Throws before anything is touched if it does not fit this sandbox, such as one of a later version. */
function refuseUnfit(
  {
    clock,
    entries,
    readings: chosen,
  }: Omit<Snapshot, 'checksum' | 'entries'> & { readonly entries: readonly Entry[] },
  { egress }: Pick<Dependencies, 'egress'>,
  { store }: Pick<Wiring, 'store'>,
): void {
  if (!(clock.speed <= FASTEST) || Number.isNaN(Date.parse(clock.now)))
    refuseDamaged('clock', 'its clock shows no time or runs too fast')
  entries.forEach(({ head, body }, index) => {
    if (!hasFittingBody({ head, body }))
      refuseDamaged('entries', `the body of entry ${index + 1} is not JSON`)
    if (head.kind === 'object') refuseUnfitObject(head.object_type, JSON.parse(body), index)
    if (head.kind !== 'registration') return
    const target = egress.judgeUrl(head.registration.url)
    if (target.kind === 'refused') refuseDamaged('entries', `entry ${index + 1}: ${target.refusal.message}`)
  })
  try {
    store.refuseUnfit(entries)
    readingValues(chosen)
    for (const { head } of entries) {
      if (head.kind === 'readings') readingValues(head.chosen)
      if (head.kind === 'next-outcome')
        parseOutcome(parseKind(head.payment_kind, 'decide the next'), head.outcome ?? undefined)
    }
  } catch (error) {
    refuseDamaged('entries', error instanceof Error ? error.message : String(error))
  }
}

/** What is put back is shown and sent, and is held to the spec as anything that the bench makes. */
function refuseUnfitObject(type: NotifiedType, object: object, index: number): void {
  const all: Readonly<Record<string, Validator<unknown>>> = validators
  const [error] = all[kindOf(type, object) ?? MODELS[type].schema]?.findAll(object) ?? []
  if (!error) return
  const { message } = toProblem(error, { ...object }, { wording: 'control' })
  refuseDamaged('entries', `entry ${index + 1} is none of ${type}: ${message}`)
}

function refuseDamaged(field: string, why: string): never {
  const message = `Cannot put the snapshot back: ${why}; ${OPERATIONS.putSnapshot.body.remedy}`
  throw new ApiError('invalid', { code: 'damaged_snapshot', field, message })
}

/** Whatever the order of its keys. */
function computeChecksum({
  format,
  version,
  clock,
  chance,
  readings: chosen,
  entries,
  requests,
}: Omit<Snapshot, 'checksum'>): string {
  const hash = createHash('sha256')
  hash.update(
    JSON.stringify([format, version, sortKeys(clock), chance, sortKeys(chosen), requests.map(sortKeys)]),
  )
  for (const { head, body } of entries) hash.update(JSON.stringify([sortKeys(head), body]))
  return hash.digest('hex')
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => [key, sortKeys(child)])
}
