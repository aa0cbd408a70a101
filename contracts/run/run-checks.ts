import { withRun, type OpenWishes, type Run } from './open-run.ts'
import type { PendingResult } from './run-check.ts'
import type { CheckResult, RunResult } from './run-result.ts'
import { maskedReceiverUrl } from './run-secrets.ts'
import { createLimit } from '../toolkit/scheduling.ts'
import { planChecks } from './select.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'
import type { RunOptions } from '../toolkit/options.ts'

export interface RunWishes extends OpenWishes {
  readonly checks: readonly ReceiverCheck[]
  readonly onResult?: (result: CheckResult) => void
  /** Ends the run at the first result for which this function returns true. Checks that have not started get no result. */
  readonly endsAt?: (result: CheckResult) => boolean
}

/** The number of concurrent checks. Each check has its own ids and faults. */
const SIDE_BY_SIDE = 8

/** Runs the checks and returns the results. The message of each error names a remedy. */
export function runChecks(options: RunOptions, wishes: RunWishes): Promise<RunResult> {
  return withRun(options, wishes, (run) => conduct(run, options, wishes))
}

async function conduct(run: Run, options: RunOptions, { checks, onResult = () => {}, endsAt }: RunWishes) {
  const inTurn = createLimit(SIDE_BY_SIDE)
  const resultById = new Map<string, CheckResult>()
  const provisional: PendingResult[] = []
  let isEnded = false
  const conclude = async (pending: PendingResult) => {
    const result = await pending.conclude()
    resultById.set(pending.check.id, result)
    onResult(result)
    isEnded ||= endsAt?.(result) ?? false
  }
  const put = async (check: ReceiverCheck) => {
    if (isEnded) return
    const pending = await run.put(check)
    if (pending.isProvisional) provisional.push(pending)
    else await conclude(pending)
  }
  const { first, alone, last } = planChecks(checks)
  await Promise.all([
    // A check that has started must also end. Therefore, checks that span the run start later if `endsAt` can end the run early.
    ...(endsAt ? [] : last).map((check) => inTurn(() => run.begin(check))),
    ...first.map((check) => inTurn(() => put(check))),
  ])
  for (const check of [...alone, ...last]) await put(check)
  // Waits once, for all checks together, until the receiver has no work left.
  await Promise.all(provisional.map((each) => each.rest()))
  await Promise.all(provisional.map((pending) => inTurn(() => conclude(pending))))
  const results = checks.flatMap(({ id }) => resultById.get(id) ?? [])
  return {
    receiver: maskedReceiverUrl(options),
    seed: options.seed,
    level: run.level,
    readings: options.readings,
    results,
    consequences: run.consequences(results),
    unreached: run.unreached,
    serviceUrl: run.serviceUrl,
    world: namedWorld(options),
    startedAt: run.startedAt,
    tookMs: run.elapsed(),
    effectDelay: run.effectDelay(),
  }
}

/** Returns the name of the world. A new world is always named `new`, so that reports of two runs are comparable. */
function namedWorld({ service }: RunOptions): string | null {
  if (service.kind === 'own') return null
  return service.ownWorld ? 'new' : (service.world ?? null)
}
