import { expect, test } from 'vitest'
import type { RunSummary } from '../../../spec/generated/control-types.ts'
import type { Judge, PlannedRun, RunOutcome } from '../../../sandbox/api/control/judge.ts'
import { createRuns } from '../../../sandbox/compose/runs.ts'
import { WorldLeftError } from '../../../sandbox/compose/world-recovery.ts'
import { ApiError } from '../../../sandbox/engine/core/api-error.ts'
import { manualTime } from '../../support/test-sandbox.ts'

const OUTCOME: RunOutcome = { conclusion: 'passed', headline: 'Nothing failed', rehearsal: null, report: {} }
const STEP = { done: 1, total: 2, text: 'One of two', check: null }

const preview = async () => {
  throw new Error('Nothing asks for a preview here')
}

function scripted(run: PlannedRun['run'], plan = () => {}) {
  const planned = async () => {
    plan()
    return { about: 'a test', run }
  }
  return conducted({ checks: () => [], rehearse: planned, preview, check: planned })
}

function conducted(judge: Judge) {
  const changes: RunSummary[] = []
  const sandbox = () => ({ benchUrl: 'http://127.0.0.1:1', benchToken: 't', keepsWorld: false })
  const access = { load: async () => judge, sandbox }
  const runs = createRuns(access, manualTime(), (change) => void changes.push(change))
  return { runs, changes, ended: () => untilEnded(changes) }
}

async function untilEnded(changes: readonly RunSummary[]): Promise<RunSummary> {
  for (;;) {
    const last = changes.at(-1)
    if (last && last.ended_at !== null) return last
    await Promise.resolve()
  }
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

test('a run reports start, progress and end, and keeps its result', async () => {
  const { runs, changes, ended } = scripted(async ({ onProgress }) => {
    onProgress(STEP)
    return OUTCOME
  })

  const { id } = await runs.startChecks({})
  await ended()

  expect(changes.map(({ status, progress }) => `${status}: ${progress.text}`)).toEqual([
    'running: It begins',
    'running: One of two',
    'ended: One of two',
  ])
  expect(runs.get(id)).toMatchObject({ kind: 'checks', about: 'a test', ...OUTCOME })
  expect(runs.list()).toEqual([changes.at(-1)])
})

test('a second run is rejected until the first run has ended', async () => {
  const end = Promise.withResolvers<RunOutcome>()
  const { runs, ended } = scripted(() => end.promise)
  await runs.startRehearsal({ kind: 'npp-payin' })

  await expect(runs.startChecks({})).rejects.toMatchObject({ problems: [{ code: 'run_under_way' }] })

  end.resolve(OUTCOME)
  await ended()
  await expect(runs.startChecks({})).resolves.toMatchObject({ status: 'running' })
})

test('a run inside the sandbox and a remote run cannot use a world at the same time', async () => {
  const end = Promise.withResolvers<RunOutcome>()
  const { runs, ended } = scripted(() => end.promise)
  const claim = () => runs.claim('x', { by: 'a run on ci-7' })
  claim()
  await expect(runs.startChecks({})).rejects.toThrow(
    'Cannot begin: a run on ci-7 has used this world since 2026-',
  )
  runs.release('x')
  await runs.startChecks({})
  expect(claim).toThrow('Cannot begin: another rehearsal or run of checks is in progress')
  end.resolve(OUTCOME)
  await ended()

  expect(claim()).toMatchObject({ id: 'x' })
})

test('a run in preparation does not start when the sandbox closes', async () => {
  const planning = Promise.withResolvers<PlannedRun>()
  const judge: Judge = {
    checks: () => [],
    rehearse: () => planning.promise,
    preview,
    check: () => planning.promise,
  }
  const { runs, changes } = conducted(judge)
  let began = false
  const starting = runs.startChecks({})
  const closing = runs.close()
  planning.resolve({
    about: 'a test',
    async run() {
      began = true
      return OUTCOME
    },
  })

  await expect(starting).rejects.toMatchObject({ problems: [{ code: 'closing' }] })
  await closing

  expect([began, changes]).toEqual([false, []])
})

test('a rejected run does not block a later run', async () => {
  const refusals = [new ApiError('invalid', 'There is no such kind')]
  const plan = () => {
    const refusal = refusals.pop()
    if (refusal) throw refusal
  }
  const { runs } = scripted(async () => OUTCOME, plan)

  await expect(runs.startRehearsal({ kind: 'x' })).rejects.toThrow('There is no such kind')

  expect(runs.list()).toEqual([])
  await expect(runs.startRehearsal({ kind: 'npp-payin' })).resolves.toMatchObject({ kind: 'rehearsal' })
})

test('an interrupted run reports the error as its reason', async () => {
  const { runs, ended } = scripted(async () => {
    throw new Error('The page of effects cannot be read')
  })

  await runs.startChecks({})

  expect(await ended()).toMatchObject({ status: 'broken', error: 'The page of effects cannot be read' })
})

test('a stopped run gets the status broken when its world cannot be restored', async () => {
  const { runs } = scripted(({ signal }) =>
    untilAborted(signal).catch((error: unknown) => {
      throw new WorldLeftError([error, new Error('The store is full')])
    }),
  )
  const { id } = await runs.startChecks({})

  expect(await runs.stop(id)).toMatchObject({
    status: 'broken',
    error: expect.stringContaining('The store is full'),
  })
})

test('stopping ends a running run and does not change a finished run', async () => {
  const { runs } = scripted(({ signal }) => untilAborted(signal))
  const { id } = await runs.startChecks({})

  expect(await runs.stop(id)).toMatchObject({ status: 'stopped', ended_at: expect.any(String) })

  const over = scripted(async () => OUTCOME)
  const run = await over.runs.startChecks({})
  await over.ended()
  expect(await over.runs.stop(run.id)).toMatchObject({ status: 'ended' })
})

test('closing waits until a run has restored the world', async () => {
  const steps: string[] = []
  const { runs } = scripted(async ({ signal }) => {
    await untilAborted(signal).catch(() => steps.push('put back'))
    return OUTCOME
  })
  await runs.startChecks({})

  await runs.close()

  expect(steps).toEqual(['put back'])
})

test('the sandbox keeps only the ten newest runs', async () => {
  const { runs } = scripted(({ signal }) => untilAborted(signal))
  const ids: string[] = []
  for (let count = 0; count < 11; count++) {
    const { id } = await runs.startChecks({})
    ids.push(id)
    await runs.stop(id)
  }

  expect(runs.list().map(({ id }) => id)).toEqual(ids.slice(1))
  expect(() => runs.get(ids[0] ?? '')).toThrow('Cannot find run')
})
