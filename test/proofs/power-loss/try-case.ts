import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openCertificateAuthority } from '../../../sandbox/adapters/certificate-authority.ts'
import { openDataFolder, readTokenKey } from '../../../sandbox/adapters/data-folder.ts'
import { openStoreDatabase, type StoreDatabase } from '../../../sandbox/adapters/sqlite/store-database.ts'
import { verifyStore } from '../../../sandbox/adapters/sqlite/verify-store.ts'
import { createSeededRandom } from '../../../sandbox/engine/core/random.ts'
import type { Random } from '../../../sandbox/engine/core/ports.ts'
import type { Store } from '../../../sandbox/engine/state/store.ts'
import { createDiskModel, type Loss } from './disk-model.ts'
import { createPromises, type FoundWorlds, type Promises } from './promises.ts'
import type { DiskEvent, Recording } from './recording.ts'

const LOSSES: readonly Loss[] = [
  { sectorBytes: 512, survival: 0.5, growsWithZeros: true },
  { sectorBytes: 4_096, survival: 0.5, growsWithZeros: false },
  { sectorBytes: 4_096, survival: 0, growsWithZeros: false },
  { sectorBytes: 512, survival: 0.95, growsWithZeros: true },
  { sectorBytes: 4_096, survival: 0.1, growsWithZeros: true },
  { sectorBytes: 512, survival: 1, growsWithZeros: false },
]

/**
 * Cuts the power before the event `at`, or at a random event, and restarts the sandbox. Returns a problem, or undefined if the
 * store is correct.
 */
export async function tryCase(
  recording: Recording,
  number: number,
  at?: number,
): Promise<string | undefined> {
  const random = createSeededRandom(number + 1)
  const cut = at ?? drawCut(recording, random, number)
  const loss = LOSSES[Math.floor(number / CUTS.length) % LOSSES.length] ?? LOSSES[0]
  const disk = createDiskModel(recording)
  const promises = createPromises()
  for (const event of recording.events.slice(0, cut)) {
    if (event.kind === 'note') promises.add(event.note)
    else disk.apply(event)
  }
  const root = mkdtempSync(join(tmpdir(), 'hookbench-power-'))
  try {
    if (loss) disk.materialize(root, random, loss)
    const problem = await findProblem(join(root, 'data'), promises)
    return (
      problem &&
      `case ${number}, cut at ${cut} of ${recording.events.length} with ${JSON.stringify(loss)}: ${problem}`
    )
  } finally {
    rmSync(root, { recursive: true })
  }
}

export function listAcknowledgements({ events }: Recording): readonly number[] {
  const isKept = (event: DiskEvent | undefined) => event?.kind === 'note' && KEPT.has(event.note.kind)
  return events.flatMap((event, index) => (isKept(event) && !isKept(events[index + 1]) ? [index + 1] : []))
}

const KEPT: ReadonlySet<string> = new Set(['kept', 'kept-named-world'])

function listRecoveries({ events }: Recording): readonly number[] {
  let isRecovering = false
  return events.flatMap((event, index) => {
    if (event.kind === 'sync-failed') isRecovering = true
    if (event.kind === 'note' && event.note.kind === 'kept') isRecovering = false
    return isRecovering ? [index] : []
  })
}

/**
 * The lists of events at which the proof cuts the power. In half of the cases, the power fails right after an acknowledgement; in
 * a quarter, right after a failed sync.
 */
const CUTS = [listRecoveries, listAcknowledgements, () => [], listAcknowledgements] as const

function drawCut(recording: Recording, random: Random, number: number): number {
  const cuts = CUTS[number % CUTS.length]?.(recording) ?? []
  const drawn = random()
  return cuts[Math.floor(drawn * cuts.length)] ?? Math.floor(drawn * (recording.events.length + 1))
}

async function findProblem(path: string, promises: Promises): Promise<string | undefined> {
  if (!existsSync(path)) return promises.kept === 0 ? undefined : 'the data folder is gone'
  try {
    const folder = openDataFolder(path)
    if (readTokenKey(folder).length !== 32) return 'the key of tokens is not whole'
    await openCertificateAuthority(folder.caFolder)
    return await findProblemOfStore(folder.storePath, promises)
  } catch (error) {
    return `it does not start: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Returns the store's problem, if any. Opens the store twice, because entries written after the power loss must also survive. */
async function findProblemOfStore(path: string, promises: Promises): Promise<string | undefined> {
  const { problems, loss = problems[0] } = verifyStore(path)
  if (loss !== undefined) return loss
  const first = openStoreDatabase(path, { soon })
  const problem = await withStore(first, async (store) => {
    const broken = promises.findBroken(findWorlds(first, store))
    await store.commit([AFTERWARDS])
    return broken
  })
  if (problem !== undefined) return problem
  const again = openStoreDatabase(path, { soon })
  return withStore(again, async (store) => {
    const found = findWorlds(again, store)
    const last = found.entries.at(-1)
    const broken = promises.findBroken({ ...found, entries: found.entries.slice(0, -1) })
    return (
      broken ??
      (isDeepStrictEqual(last, AFTERWARDS) ? undefined : 'the first write after the loss is not kept')
    )
  })
}

const AFTERWARDS = { head: { kind: 'clock', at: 1 }, body: '' } as const

const soon = (run: () => void) => queueMicrotask(run)

async function withStore<Result>(
  database: StoreDatabase,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = database.openDefault()
  try {
    return await use(store)
  } finally {
    store.close()
    database.close()
  }
}

function findWorlds({ directory }: StoreDatabase, store: Store): FoundWorlds {
  const lengths = directory.list().map((world) => {
    const opened = directory.openStore(world)
    const { length } = [...opened.entries()]
    opened.close()
    return [world.name, length] as const
  })
  return { entries: [...store.entries()], lengthByName: new Map(lengths) }
}
