import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCertificateAuthority } from '../../../sandbox/adapters/certificate-authority.ts'
import { openDataFolder, readTokenKey } from '../../../sandbox/adapters/data-folder.ts'
import { openSqliteLog } from '../../../sandbox/adapters/sqlite/sqlite-log.ts'
import { createSeededRandom } from '../../../sandbox/engine/core/random.ts'
import type { Random } from '../../../sandbox/engine/core/ports.ts'
import { createStore } from '../../../sandbox/engine/state/store.ts'
import { createDiskModel, type Loss } from './disk-model.ts'
import { createPromises, type Promises } from './promises.ts'
import type { Recording } from './recording.ts'

const LOSSES: readonly Loss[] = [
  { sectorBytes: 512, survival: 0.5, growsWithZeros: true },
  { sectorBytes: 4_096, survival: 0.5, growsWithZeros: false },
  { sectorBytes: 4_096, survival: 0, growsWithZeros: false },
  { sectorBytes: 512, survival: 0.95, growsWithZeros: true },
  { sectorBytes: 4_096, survival: 0.1, growsWithZeros: true },
  { sectorBytes: 512, survival: 1, growsWithZeros: false },
]

/**
 * Cuts the power somewhere in the recording, or before the event `at`, and starts on what is left. What is wrong then; undefined if
 * nothing is.
 */
export async function tryCase(
  recording: Recording,
  number: number,
  at?: number,
): Promise<string | undefined> {
  const random = createSeededRandom(number + 1)
  const cut = at ?? drawCut(recording, random, number)
  const loss = LOSSES[number % LOSSES.length] ?? LOSSES[0]
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

/** The numbers of the events that follow an acknowledgement. */
export function listAcknowledgements({ events }: Recording): readonly number[] {
  return events.flatMap((event, index) =>
    event.kind === 'note' && event.note.kind === 'kept' ? [index + 1] : [],
  )
}

/** Every second case cuts the power right after something was acknowledged. */
function drawCut(recording: Recording, random: Random, number: number): number {
  const cuts = number % 2 === 0 ? [] : listAcknowledgements(recording)
  const drawn = random()
  return cuts[Math.floor(drawn * cuts.length)] ?? Math.floor(drawn * (recording.events.length + 1))
}

async function findProblem(path: string, promises: Promises): Promise<string | undefined> {
  if (!existsSync(path)) return promises.kept === 0 ? undefined : 'the data folder is gone'
  try {
    const folder = openDataFolder(path)
    if (readTokenKey(folder).length !== 32) return 'the key of tokens is not whole'
    await openCertificateAuthority(folder.caFolder)
    return findProblemOfStore(folder.storePath, promises)
  } catch (error) {
    return `it does not start: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Opened twice: what comes after must be kept with the rest. */
function findProblemOfStore(path: string, promises: Promises): string | undefined {
  const first = openSqliteLog(path)
  const problem = promises.findBroken(first)
  const { length } = first
  createStore(first, queueMicrotask)
  first.append([{ head: { kind: 'clock', at: 1 }, body: '' }])
  first.close()
  if (problem !== undefined) return problem
  const second = openSqliteLog(path)
  const isWhole = second.length === length + 1 && promises.findBroken({ ...second, length }) === undefined
  second.close()
  return isWhole ? undefined : 'what was there after the first start is not there after the second'
}
