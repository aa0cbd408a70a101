import type { RequestRecord, Snapshot, SnapshotEntry } from '../../spec/generated/control-types.ts'
import { readings } from '../../spec/readings.ts'
import { toClock } from '../api/control/clock.ts'
import type { Restoration } from '../api/control/operation.ts'
import { VERSION } from '../engine/core/version.ts'
import type { Entry, Head } from '../engine/state/entries.ts'
import type { Dependencies, Wiring } from './wiring.ts'
import type { StagedWorld, Store } from '../engine/state/store.ts'
import type { Advance } from './advance.ts'
import {
  createSnapshotChecksum,
  type FitnessPorts,
  refuseDamaged,
  refuseUnfitEntry,
  refuseUnfitFrame,
  type SnapshotFrame,
} from './snapshot-fitness.ts'
import type { Ports } from '../engine/core/ports.ts'
import { ConflictError } from '../engine/state/storage-error.ts'

const FORMAT = 4

export interface WorldOptions {
  readonly advance: Pick<Advance, 'refuseWhileUnderWay' | 'refuse'>
  readonly onReplaced: () => void
}

interface Capture {
  readonly frame: SnapshotFrame
  readonly requests: readonly RequestRecord[]
  readonly entries: Iterable<Entry>
}

type Publish = StagedWorld['publish']

export type World = ReturnType<typeof createWorld>

export function createWorld(dependencies: Dependencies, wiring: Wiring, options: WorldOptions) {
  const { clock, random, origin } = dependencies.ports
  const { store, requests, liveReadings, unsubscribed, events } = wiring
  let epoch = 1

  /**
   * Replaces the world in one turn of the event loop, so that readers never see a partial state. Rejects if the store has a
   * problem.
   */
  function replace(publish: Publish, beginning: Beginning, reason: 'reset' | 'snapshot'): Promise<void> {
    refuseWhileUnderWay()
    const end = options.advance.refuse()
    const done = publish(() => {
      end()
      epoch++
      clock.restartAt(beginning.at, beginning.speed)
      random.restore(beginning.chance)
      liveReadings.reload(beginning.readings)
      requests.replace(beginning.requests)
      unsubscribed.forget()
      options.onReplaced()
      events.emit({ type: 'world', data: { reason } })
    }).finally(end)
    return untilProblem(done, store)
  }

  const refuseWhileUnderWay = () => refuseToReplace(store, options.advance)

  function beginRestore(): Restoration {
    refuseWhileUnderWay()
    return createRestoration(store.stage(), { ...wiring.context, origin }, (publish, beginning) =>
      replace(publish, beginning, 'snapshot'),
    )
  }

  return {
    /** The number of resets and restores so far. An action must start and end in the same epoch. */
    get epoch() {
      return epoch
    },
    snapshot: () => toSnapshot(capture(dependencies, wiring)),
    /** Streams a snapshot as lines of JSON. Throws an error if the world is replaced during the stream. */
    snapshotLines: () => toLines(capture(dependencies, wiring)),
    /** Restores the complete snapshot or nothing. Throws ApiError `invalid` for a damaged snapshot. */
    restore: async (snapshot: Snapshot) => restoreWhole(snapshot, beginRestore()),
    beginRestore,
    /** Resets the world. With `ignore`, changes that no registration covers go unreported until the next reset or restore. */
    async reset(reporting: 'report' | 'ignore'): Promise<void> {
      refuseWhileUnderWay()
      const staged = store.stage()
      const publish: Publish = (onPublished) =>
        staged.publish(() => {
          onPublished()
          if (reporting === 'ignore') unsubscribed.mute()
        })
      await replace(publish, { ...origin(), requests: [] }, 'reset').finally(staged.discard)
    },
  }
}

function refuseToReplace({ problem }: Store, { refuseWhileUnderWay }: WorldOptions['advance']): void {
  // Reports a store problem first, even if another operation is also in progress.
  if (problem) throw problem
  refuseWhileUnderWay('replace the world')
}

/** Waits for `done`, but rejects once the store has a problem. If PostgreSQL is unreachable, a write's result is unknown. */
function untilProblem(done: Promise<void>, { onProblem }: Pick<Store, 'onProblem'>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const unsubscribe = onProblem((problem) => problem && reject(problem))
  return Promise.race([done, promise]).finally(unsubscribe)
}

function capture({ ports }: Dependencies, { store, requests, liveReadings }: Wiring): Capture {
  const frame = {
    format: FORMAT,
    version: VERSION,
    clock: toClock(ports.clock),
    chance: ports.random.state(),
    readings: completeReadings(liveReadings),
  } as const
  return { frame, requests: requests.list(), entries: store.entries() }
}

async function restoreWhole(snapshot: Snapshot, restoration: Restoration): Promise<void> {
  const { entries, requests, ...rest } = snapshot
  try {
    for (const entry of entries) restoration.addEntry(entry)
    for (const request of requests) restoration.addRequest(request)
    await restoration.finish(rest)
  } finally {
    restoration.discard()
  }
}

function toSnapshot({ frame, requests, entries }: Capture): Snapshot {
  const checksum = createSnapshotChecksum()
  const shown = {
    requests: Array.from(requests, (request) => {
      checksum.addRequest(request)
      return { ...request }
    }),
    entries: Array.from(entries, ({ head, body }) => {
      const entry = { head: { ...head }, body }
      checksum.addEntry(entry)
      return entry
    }),
  }
  return { ...frame, ...shown, checksum: checksum.digest(frame) }
}

function* toLines({ frame, requests, entries }: Capture): Iterable<string> {
  const checksum = createSnapshotChecksum()
  yield JSON.stringify(frame)
  for (const request of requests) {
    checksum.addRequest(request)
    yield JSON.stringify(request)
  }
  for (const { head, body } of entries) {
    checksum.addEntry({ head, body })
    yield JSON.stringify({ head, body })
  }
  yield JSON.stringify({ checksum: checksum.digest(frame) })
}

/** Returns the current option of every reading, so that a snapshot does not depend on another sandbox's defaults. */
function completeReadings({ chosen }: Wiring['liveReadings']): Record<string, string> {
  const now = chosen()
  return Object.fromEntries(
    readings.flatMap(({ id, kind, default: fallback }) =>
      kind === 'shape' ? [] : [[id, now[id] ?? fallback]],
    ),
  )
}

interface Beginning {
  readonly at: number
  readonly speed: number
  readonly chance: number | null
  readonly readings?: Readonly<Record<string, string>>
  readonly requests: readonly RequestRecord[]
}

/** The maximum size of a batch, and the assumed size of an entry's metadata, in characters. */
const BATCH_CHARACTERS = 65_536
const HEAD_CHARACTERS = 256

/** Creates a restore that stages each valid entry when it arrives. `finish` verifies the checksum and replaces the world. */
function createRestoration(
  staged: StagedWorld,
  ports: FitnessPorts & Pick<Ports, 'origin'>,
  replace: (publish: Publish, beginning: Beginning) => Promise<void>,
): Restoration {
  const checksum = createSnapshotChecksum()
  const requests: RequestRecord[] = []
  const stage = createBatches(staged)
  let count = 0

  return {
    addEntry(given) {
      const entry = toEntry(given)
      checksum.addEntry(given)
      refuseUnfitEntry(entry, count++, ports)
      stage.add(entry)
    },
    addRequest(request) {
      checksum.addRequest(request)
      requests.push(request)
    },
    async finish({ checksum: expected, ...frame }) {
      if (expected !== checksum.digest(frame))
        refuseDamaged('checksum', 'the snapshot was changed or cut off')
      refuseUnfitFrame(frame)
      stage.flush()
      const { clock, ...rest } = frame
      const beginning = { ...rest, at: Date.parse(clock.now), speed: clock.speed, requests }
      keepClock(beginning, staged, ports)
      await staged.prepare()
      await replace(staged.publish, beginning)
    },
    discard: staged.discard,
  }
}

/** Adds the clock to the staged entries if needed, because the next start reads the clock only from the entries. */
function keepClock({ at, speed }: Beginning, staged: StagedWorld, { origin }: Pick<Ports, 'origin'>): void {
  const { latestAt, speed: chosen } = staged.clock()
  // A real clock that was never changed needs no entry, because it shows the current time at each start.
  const isReal = chosen === undefined && speed === 1 && origin().speed === 1
  if (isReal || (chosen === speed && at <= latestAt)) return
  staged.add([{ head: { kind: 'clock', at: Math.max(at, latestAt), speed }, body: '' }])
}

function createBatches(staged: StagedWorld) {
  let batch: Entry[] = []
  let characters = 0

  function flush(): void {
    const entries = batch
    ;[batch, characters] = [[], 0]
    try {
      staged.add(entries)
    } catch (error) {
      if (error instanceof ConflictError) refuseDamaged('entries', error.message)
      throw error
    }
  }

  return {
    flush,
    add(entry: Entry): void {
      batch.push(entry)
      characters += HEAD_CHARACTERS + entry.body.length
      if (characters >= BATCH_CHARACTERS) flush()
    },
  }
}

function toEntry({ head, body }: SnapshotEntry): Entry {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the head is validated against the schema, and `Head` is only more exact than the schema
  return { head: head as Head, body }
}
