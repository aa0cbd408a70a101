import { verifyStore } from '../../../sandbox/adapters/sqlite/verify-store.ts'
import { createSeededRandom } from '../../../sandbox/engine/core/random.ts'
import { openFileStore, withStoreCopy } from '../../support/stores.ts'
import { INVARIANTS } from '../simulation/invariants/invariants.ts'
import { replay } from '../simulation/reference-model.ts'
import type { JobAtEnd, Run } from '../simulation/run.ts'
import { withTicks } from '../simulation/world/history.ts'
import { type KilledProcess, openKilledProcess } from './killed-process.ts'

export const KILLS_A_SESSION = 5

/** The invariants to test with real processes. The other invariants need data that only the simulation has. */
const HELD: ReadonlySet<string> = new Set([
  'I-job',
  'I-atomic',
  'I-body',
  'I-schedule',
  'I-stop',
  'I-status',
  'I-count',
  'I-noloss',
  'I-dupbound',
  'I-order',
  'I-oneenabled',
  'I-clock',
  'I-tables',
])

/**
 * Kills a real process with SIGKILL: twice under load, and during an advance, a restore and a reset. Returns the violations found
 * after the restarts.
 */
export async function judgeSession(number: number): Promise<readonly string[]> {
  const random = createSeededRandom(number + 1)
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  const killed = await openKilledProcess()
  try {
    await killed.start()
    await register(killed)
    killed.answer((times) => (times < upTo(3) - 1 ? 503 : 200))
    for (const round of [1, 2]) await loadUntilKilled(killed, { first: round * 100, signs: upTo(80) })
    await advanceUntilKilled(killed, upTo(30))
    const delivered = await conclude(killed)
    return [...delivered, ...(await replaceUntilKilled(killed, upTo))]
  } catch (error) {
    return [`The session did not come to its end: ${String(error)}`]
  } finally {
    await killed.close()
  }
}

async function register({ call, receiverUrl }: KilledProcess): Promise<void> {
  for (const object_type of ['items', 'users']) {
    const answer = await call('POST', '/webhooks', { url: receiverUrl(object_type), object_type })
    if (answer?.status !== 201) throw new Error(`Cannot register: ${JSON.stringify(answer)}`)
  }
}

async function loadUntilKilled(
  killed: KilledProcess,
  { first, signs }: { readonly first: number; readonly signs: number },
): Promise<void> {
  const callers = [0, 1, 2, 3].map(async (caller) => {
    for (let count = 0; ; count++) {
      const id = `00000000-0000-4000-8000-${String((first + caller) * 1_000_000 + count).padStart(12, '0')}`
      if (!(await killed.call('POST', '/control/objects/items', { id }))) return
      for (const name of ['once', 'twice'])
        if (!(await killed.call('PATCH', `/items/${id}`, { name: `changed ${name}` }))) return
    }
  })
  await killed.killAfter(signs)
  await Promise.all(callers)
  await killed.start()
}

async function advanceUntilKilled(killed: KilledProcess, posts: number): Promise<void> {
  killed.answer(() => 503)
  await killed.call('POST', '/control/objects/items', {})
  const advanced = killed.call('POST', '/control/clock/advance', { by: '26h' })
  await killed.killAfter(posts)
  await advanced
  await killed.start()
}

async function conclude(killed: KilledProcess): Promise<readonly string[]> {
  killed.answer(() => 200)
  const answer = await killed.call('POST', '/control/clock/advance', { by: '72h' })
  if (answer?.status !== 200) return [`An advance was answered ${JSON.stringify(answer)}`]
  const jobs = await listJobs(killed)
  const healthyFrom = Number.POSITIVE_INFINITY
  const { entries, storeProblems } = readStore(killed.storePath)
  const run: Run = {
    setup: { readings: READINGS, slowDisk: false, concurrency: 64, behaviours: [], chance: 0 },
    history: {
      ...killed,
      starts: [],
      listings: [],
      badDisks: [],
      failedSyncs: [],
      replacements: [],
      checkpoints: [],
      errors: [],
    },
    model: replay(entries),
    storeProblems,
    trace: '',
    healthyFrom,
    endedAt: Date.parse(answer.body.now),
    stuck: [],
    jobs,
  }
  return INVARIANTS.filter(({ id }) => HELD.has(id)).flatMap(({ id, check }) =>
    check(run).map((problem) => `${id}: ${problem}`),
  )
}

const READINGS = {
  'retry-window': '24h',
  'callback-retry': 'none',
  'pending-retries': 'follow-registration',
  'retry-body': 'snapshot',
  'accompanying-notifications': 'as-6.2',
}

async function listJobs({ call }: KilledProcess): Promise<readonly JobAtEnd[]> {
  const jobs: JobAtEnd[] = []
  for (let cursor: string | null = '0'; cursor !== null;) {
    const answer = await call('GET', `/control/jobs?limit=200&cursor=${cursor}`)
    jobs.push(...(answer?.body.jobs ?? []))
    cursor = answer?.body.next_cursor ?? null
  }
  return jobs
}

/** Reads a copy of the store, because the process may have the store open. */
function readStore(storePath: string) {
  return withStoreCopy(storePath, (copy) => {
    const { problems, loss } = verifyStore(copy)
    const store = openFileStore(copy)
    const entries = withTicks([...store.entries()], [])
    store.close()
    return { entries, storeProblems: loss === undefined ? problems : [...problems, loss] }
  })
}

/** Kills a process while it replaces the world. The next process must have the complete old world or the complete new world. */
async function replaceUntilKilled(
  killed: KilledProcess,
  upTo: (most: number) => number,
): Promise<readonly string[]> {
  const problems: string[] = []
  const snapshot = (await killed.call('GET', '/control/snapshot'))?.body
  for (const [method, path, body, wanted] of [
    ['PUT', '/control/snapshot', snapshot, snapshot.entries.length],
    ['POST', '/control/reset', undefined, 0],
  ] as const) {
    await killed.call('POST', '/control/objects/items', {})
    await killed.call('POST', '/control/clock/advance', { by: '0m' })
    const before = readStore(killed.storePath).entries.length
    const replaced = killed.call(method, path, body)
    for (let turns = upTo(60); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
    await killed.kill()
    await replaced
    const { entries, storeProblems } = readStore(killed.storePath)
    const found = entries.length
    problems.push(...storeProblems)
    if (found !== before && found !== wanted)
      problems.push(
        `${method} ${path}: ${found} entries are neither the ${before} before nor the ${wanted} wanted`,
      )
    await killed.start()
    const answer = await killed.call('POST', '/control/clock/advance', { by: '72h' })
    if (answer?.status !== 200)
      problems.push(`After ${method} ${path} an advance was answered ${answer?.status}`)
  }
  await killed.stop()
  return problems
}
