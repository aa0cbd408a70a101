import { instant, stopwatch } from '../probes/stopwatch.ts'
import { listConsequences } from './judged-consequences.ts'
import { configuredLevel } from './observations.ts'
import { createCheckContext } from './create-check-context.ts'
import { runCheck, type PendingResult } from './run-check.ts'
import type { CheckResult } from './run-result.ts'
import { withWorldCredentials } from './run-secrets.ts'
import { createCleanups, untilAborted } from '../toolkit/scheduling.ts'
import { createSpanningChecks } from './select.ts'
import { openService } from './service.ts'
import { openShared, type Shared } from './shared-state.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'
import { isAccepted, isReached, isTimedOut, sendAll } from '../toolkit/expectations.ts'
import { expectedEffect } from '../toolkit/expected-effect.ts'
import { testBody } from '../toolkit/messages.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { ProbeError } from '../toolkit/ports.ts'
import type { Exchange } from '../finding.ts'
import { UsageError } from '../../sandbox/internal.ts'
import type { PaymentKind } from '../../spec/payments.ts'

export type Run = Awaited<ReturnType<typeof openRun>>

export type OpeningRun = Pick<Run, 'close'>

export interface OpenWishes {
  /** Aborts the run. An aborted run still restores the sandbox. */
  readonly signal?: AbortSignal
  /** Called before the sandbox and the probes start, with a function that closes the run. */
  readonly onOpening?: (run: OpeningRun) => void
  /** Called with the run as soon as the service is listening. */
  readonly onReady?: (run: Run) => void
}

/** Opens a run for `work`, and closes the run afterwards. Each error message names a remedy. */
export async function withRun<Result>(
  options: RunOptions,
  { signal, onOpening, onReady }: OpenWishes,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const run = await openRun(options, onOpening)
  try {
    onReady?.(run)
    return await untilAborted(signal, () => work(run))
  } finally {
    await run.close()
  }
}

/** Opens a run. Calls `onOpening` first, because opening can take a long time. Each error message names a remedy. */
export async function openRun(
  given: RunOptions,
  onOpening: (run: { readonly close: () => Promise<void> }) => void = () => {},
) {
  const options = await withWorldCredentials(given)
  const { add, close } = createCleanups()
  try {
    const opening = openService(options)
    // `close` waits until opening has succeeded or failed.
    add(async () => (await opening.catch(() => undefined))?.close())
    onOpening({ close })
    const service = await opening
    const shared = await openShared(options, service, add)
    const { unreached, stop } = await reachReceiver(shared)
    add(stop)
    // Reads the effects of an unknown object as a test. If effects cannot be read, the probe throws and the run does not start.
    await shared.probe?.('items', '00000000-0000-4000-8000-000000000000')
    const startedAt = stopwatch.elapsed()
    let learned: Promise<void> | undefined
    const start = async (check: ReceiverCheck, untilEnd: () => Promise<void>, kind?: PaymentKind) => {
      const looksAtEffects = [...(check.needs ?? []), ...(check.uses ?? [])].includes('effects')
      if (shared.probe && unreached === null && looksAtEffects) await (learned ??= learnDelay(shared, kind))
      return runCheck(check, shared, { unreached, untilEnd })
    }
    const spanning = createSpanningChecks(start)
    /** Runs a check, or ends a check that spans the run. The result is provisional until the effects are read again. */
    const put = (check: ReceiverCheck, kind?: PaymentKind): Promise<PendingResult> =>
      check.spansRun === true ? spanning.end(check) : start(check, () => Promise.resolve(), kind)
    return {
      options,
      serviceUrl: service.url,
      sinkUrl: shared.sinkUrl,
      /** The reason why the receiver is unreachable. Null if the receiver was reached. */
      unreached,
      level: configuredLevel(options),
      startedAt: instant(),
      elapsed: () => stopwatch.elapsed() - startedAt,
      consequences: (results: readonly CheckResult[]) => listConsequences(results, shared),
      /** Returns the observed delay of effects, or null if effects are not observable. */
      effectDelay: () => (shared.probe ? shared.delay.seen() : null),
      /** Starts a check that spans the run. Resolves when the check begins to wait for the other checks. */
      begin: spanning.begin,
      put,
      /** Runs a check. If needed, first measures the delay of effects with payments of this kind. */
      async check(check: ReceiverCheck, kind?: PaymentKind): Promise<CheckResult> {
        const pending = await put(check, kind)
        if (pending.isProvisional) await pending.rest()
        return pending.conclude()
      },
      shared,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const STOP_NOTHING = () => Promise.resolve()

/** Sends one test POST first, because each check would wait for an unreachable receiver. Starts the receiver if nothing listens. */
async function reachReceiver(shared: Shared) {
  const { context, close } = createCheckContext('preflight', shared)
  try {
    const [type] = shared.urls.types()
    if (type === undefined)
      return { unreached: 'the configuration has no URL of the receiver', stop: STOP_NOTHING }
    const post = () =>
      context.post({ url: shared.urls.url(type), body: testBody(shared.profile), label: 'the test POST' })
    const sent = await post()
    refuseUntold(sent, shared)
    if (sent.reason !== 'connect_refused' || !context.process.observable) {
      return { unreached: findObstacle(sent, shared), stop: STOP_NOTHING }
    }
    await context.process.start()
    return {
      unreached: findObstacle(await post(), shared),
      // Ignores errors, because the run must not lose its results.
      stop: () => context.process.stop().catch(() => {}),
    }
  } finally {
    await close()
  }
}

/** Throws UsageError if the receiver is already running with the credentials of another world. */
function refuseUntold({ reason }: Exchange, { options: { service } }: Shared): void {
  if (service.kind === 'own' || service.ownWorld?.isToBeTold !== true || reason === 'connect_refused') return
  throw new UsageError(
    'Cannot check in a new world: your receiver is already running, without the credentials of that world. Stop the receiver, so that "process.start" starts it. Or give its credentials with options such as --client-id and --client-secret',
  )
}

function findObstacle(sent: Exchange, { mask }: Pick<Shared, 'mask'>): string | null {
  return isReached(sent) && !isTimedOut(sent) ? null : mask(sent.message)
}

/** The number of payments that measure the delay. One payment is not enough, because a polling worker can act at once by chance. */
const PAYMENTS = 2

async function learnDelay(shared: Shared, kind?: PaymentKind): Promise<void> {
  const { context, close } = createCheckContext('effect delay', shared)
  try {
    for (let count = 0; count < PAYMENTS; count++) {
      const payment = await expectedEffect(context, { kind })
      if (!payment) return
      const sent = await sendAll(context, [...payment.before, payment.message])
      if (!sent.every(isAccepted)) return
      const { effects } = await context.effects.reach(payment.target, 1)
      if (effects === 0) return
    }
  } catch (error) {
    // Ignores the error, because each check reports the error again.
    if (!(error instanceof ProbeError)) throw error
  } finally {
    await close()
  }
}
