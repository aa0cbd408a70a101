import type { RequestRecord, SnapshotEntry } from '../../spec/generated/control-types.ts'
import type { Restoration } from '../api/control/operation.ts'
import type { Ports } from '../engine/core/ports.ts'
import type { Entry, Head } from '../engine/state/entries.ts'
import { ConflictError } from '../engine/state/storage-error.ts'
import type { StagedWorld } from '../engine/state/store.ts'
import {
  createSnapshotChecksum,
  type FitnessPorts,
  refuseDamaged,
  refuseUnfitEntry,
  refuseUnfitFrame,
} from './snapshot-fitness.ts'

/** The settings of a new world next to its history. */
export interface Beginning {
  readonly at: number
  readonly speed: number
  readonly chance: number | null
  readonly readings?: Readonly<Record<string, string>>
  readonly requests: readonly RequestRecord[]
}

/** The characters of a batch, and the weight of an entry's head. */
const BATCH_CHARACTERS = 65_536
const HEAD_CHARACTERS = 256

/** Replaces the world by the published one and returns the result. */
type Replace = (publish: StagedWorld['publish'], beginning: Beginning) => Promise<void>

/** Validates and stages each entry. At the end, only the checksum remains before publishing. */
export function createRestoration(
  staged: StagedWorld,
  ports: FitnessPorts & Pick<Ports, 'origin'>,
  replace: Replace,
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
      if (expected !== checksum.digest(frame)) refuseDamaged('checksum', 'it was changed or cut off')
      refuseUnfitFrame(frame)
      stage.flush()
      const { clock, chance, readings } = frame
      const beginning = { at: Date.parse(clock.now), speed: clock.speed, chance, readings, requests }
      keepClock(beginning, staged, ports)
      await staged.prepare()
      await replace(staged.publish, beginning)
    },
    discard: staged.discard,
  }
}

/** Records the clock if the entries lack it, because the next opening reads only the entries. */
function keepClock({ at, speed }: Beginning, staged: StagedWorld, { origin }: Pick<Ports, 'origin'>): void {
  const { latestAt, speed: chosen } = staged.clock()
  // An untouched real clock shows real time at each start.
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked against the schema; `Head` only says more exactly what that can hold
  return { head: head as Head, body }
}
