import { errorMessage } from '../../spec/errors.ts'
import type { Claim, RunDetail, RunSummary, WorldUse } from '../../spec/generated/control-types.ts'
import type { Judge, JudgedSandbox, PlannedRun } from '../api/control/judge.ts'
import type { Runs } from '../api/control/operation.ts'
import { ApiError } from '../engine/core/api-error.ts'
import type { RealTime } from '../engine/core/ports.ts'
import { timestamp } from '../engine/core/timestamp.ts'
import { createWorldUse, WorldLeftError } from './world-recovery.ts'

export interface JudgeAccess {
  readonly load: () => Promise<Judge>
  readonly sandbox: () => JudgedSandbox
}

type OnChange = (run: RunSummary) => void

/** Runs rehearsals and checks, one at a time. Stores the results outside the world, because a run restores its world. */
export interface ConductedRuns extends Runs {
  /** Returns true while a run is requested or in progress, in this process or in another process. */
  isUnderWay(): boolean
  /** Returns the real time when the last run ended. Returns undefined if there is no run. Run reports are stored only in memory. */
  lastEndAt(): number | undefined
  /** Stops the current run and rejects new runs. Resolves when the world is restored. */
  close(): Promise<void>
}

/** The number of stored reports. A report contains every exchange of its run, and needs a few megabytes of memory. */
const MAX_KEPT = 10

interface KeptRun {
  detail: RunDetail
  readonly abortion: AbortController
  ended: Promise<void>
}

export function createRuns(
  access: JudgeAccess | undefined,
  realTime: RealTime,
  onChange: OnChange,
): ConductedRuns {
  const kept = createKeptRuns(realTime, onChange)
  const { isUsed: isUnderWay, begin, claimed, ...claims } = createWorldUse(realTime)
  let isClosed = false

  async function start(kind: RunDetail['kind'], plan: Plan): Promise<RunSummary> {
    const { load, sandbox } = requireJudge(access)
    // Reserves the world first, because the plan reads the current state.
    const end = begin()
    try {
      const planned = await plan(await load(), sandbox())
      if (isClosed) throw new ApiError('conflict', CLOSING)
      const run = kept.add(kind, planned.about)
      run.ended = conduct(run, planned, end)
      return toSummary(run.detail)
    } catch (error) {
      end()
      throw error
    }
  }

  async function conduct(run: KeptRun, planned: PlannedRun, onEnd: () => void): Promise<void> {
    const { signal } = run.abortion
    const onProgress = (progress: RunDetail['progress']) => kept.report(run, progress)
    let end: Partial<RunDetail>
    try {
      end = { status: 'ended', ...(await planned.run({ onProgress, signal })) }
    } catch (error) {
      end = endOf(error, signal)
    }
    onEnd()
    kept.change(run, { ...end, ended_at: timestamp(realTime.now()) })
  }

  return {
    isUnderWay,
    ...claims,
    worldUse: () => useOf(kept.all(), claimed()),
    ...kept.reads,
    ...createQuestions(access),
    startRehearsal: (request) => start('rehearsal', (judge, sandbox) => judge.rehearse(request, sandbox)),
    startChecks: (request) => start('checks', (judge, sandbox) => judge.check(request, sandbox)),
    stop: async (id) => stopRun(kept.find(id)),
    async close() {
      isClosed = true
      await Promise.all(kept.all().map(stopRun))
    },
  }
}

function useOf(runs: readonly KeptRun[], claim: Claim | undefined): WorldUse | null {
  const running = runs.find(({ detail }) => detail.status === 'running')?.detail
  if (running)
    return { about: running.kind === 'checks' ? 'A check' : 'A rehearsal', since: running.started_at }
  return claim ? { about: `A check (${claim.by})`, since: claim.since } : null
}

function createQuestions(access: JudgeAccess | undefined): Pick<Runs, 'checks' | 'previewRehearsal'> {
  return {
    checks: async () => (await requireJudge(access).load()).checks(),
    async previewRehearsal(request) {
      const { load, sandbox } = requireJudge(access)
      return (await load()).preview(request, sandbox())
    },
  }
}

/** Returns the final status of a run that failed. After an abort, the status is `stopped` if the world was restored. */
function endOf(error: unknown, { aborted }: AbortSignal): Partial<RunDetail> {
  const isStopped = aborted && !(error instanceof WorldLeftError)
  return isStopped ? { status: 'stopped' } : { status: 'broken', error: errorMessage(error) }
}

type Plan = (judge: Judge, sandbox: JudgedSandbox) => Promise<PlannedRun>

async function stopRun(run: KeptRun): Promise<RunSummary> {
  run.abortion.abort()
  await run.ended
  return toSummary(run.detail)
}

function createKeptRuns(realTime: Pick<RealTime, 'now'>, onChange: OnChange) {
  const prefix = realTime.now().toString(36)
  let runs: KeptRun[] = []
  let count = 0

  function change(run: KeptRun, more: Partial<RunDetail>): void {
    run.detail = { ...run.detail, ...more }
    onChange(toSummary(run.detail))
  }

  function find(id: string): KeptRun {
    const run = runs.find(({ detail }) => detail.id === id)
    if (run) return run
    throw new ApiError('not-found', { field: 'id', message: `Cannot find run "${id}"` })
  }

  return {
    reads: {
      list: () => runs.map(({ detail }) => toSummary(detail)),
      get: (id: string) => find(id).detail,
      lastEndAt(): number | undefined {
        const ended = runs.flatMap(({ detail: { ended_at } }) => ended_at ?? [])
        return ended.length === 0 ? undefined : Math.max(...ended.map((at) => Date.parse(at)))
      },
    },
    all: (): readonly KeptRun[] => runs,
    add(kind: RunDetail['kind'], about: string): KeptRun {
      const run: KeptRun = {
        detail: newRun({ id: `${prefix}-${++count}`, kind, about, started_at: timestamp(realTime.now()) }),
        abortion: new AbortController(),
        ended: Promise.resolve(),
      }
      runs = [...runs, run].slice(-MAX_KEPT)
      onChange(toSummary(run.detail))
      return run
    },
    change,
    report(run: KeptRun, progress: RunDetail['progress']): void {
      if (run.abortion.signal.aborted) return
      const ended = progress.check ? [progress.check] : []
      change(run, { progress, outcomes: [...run.detail.outcomes, ...ended] })
    },
    find,
  }
}

const CLOSING = { code: 'closing', message: 'Cannot begin a run: the sandbox is closing' }

function requireJudge(access: JudgeAccess | undefined): JudgeAccess {
  if (access) return access
  throw new ApiError('conflict', {
    code: 'no_judge',
    message: 'Cannot judge a receiver here: this sandbox has no checks',
    hint: 'use the sandbox that "npx hookbench up" starts',
  })
}

function newRun(about: Pick<RunDetail, 'id' | 'kind' | 'about' | 'started_at'>): RunDetail {
  return {
    ...about,
    status: 'running',
    ended_at: null,
    progress: { done: 0, total: null, text: 'It begins', check: null },
    conclusion: null,
    headline: null,
    error: null,
    outcomes: [],
    rehearsal: null,
    report: null,
  }
}

function toSummary({ outcomes: _, rehearsal: __, report: ___, ...summary }: RunDetail): RunSummary {
  return summary
}
