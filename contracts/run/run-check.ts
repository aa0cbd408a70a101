import { describeLoss, NEEDS } from '../check.ts'
import {
  controlFailed,
  isSameObject,
  notObservable,
  probeFailed,
  unreachable,
  type Finding,
} from '../finding.ts'
import { createCheckContext, type CheckSession } from './create-check-context.ts'
import type { Shared } from './shared-state.ts'
import { maskResult } from './run-secrets.ts'
import type { BegunPayment } from './payment-play.ts'
import { isConfigured } from './observations.ts'
import type { CheckResult, EventOf, RunEvent } from './run-result.ts'
import type { CheckContext, ReceiverCheck } from '../toolkit/check-context.ts'
import { isNotSent, isTimedOut, requireAccepted } from '../toolkit/expectations.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { ProbeError } from '../toolkit/ports.ts'
import type { PaymentKind } from '../../spec/payments.ts'

interface CheckPlace {
  /** The reason why the receiver was unreachable at the start. Null if the receiver was reached. */
  readonly unreached: string | null
  readonly untilEnd: () => Promise<void>
}

/** The result of a check before the effects are read a second time. */
export type PendingResult = Awaited<ReturnType<typeof runCheck>>

/** Throws only configuration errors and internal errors. */
export async function runCheck(check: ReceiverCheck, shared: Shared, { unreached, untilEnd }: CheckPlace) {
  let waitedMs = 0
  const session = createCheckContext(check.id, shared, async () => {
    const waitingSince = shared.elapsed()
    await untilEnd()
    waitedMs += shared.elapsed() - waitingSince
  })
  const startedAt = shared.elapsed()
  const realStart = Date.parse(shared.now())
  const early = judgeByConfiguration(check, shared.options)
  const first = early
    ? early.finding
    : await obstacleOrFinding(check, session, { unreached, silence: shared.silence })
  if (early) await session.close()
  const tookMs = shared.elapsed() - startedAt - waitedMs
  const looks = first?.kind === 'passed' ? [...session.lastLooks.values()] : []
  return {
    check,
    /** True if the effects must be read again at the end of the run. */
    isProvisional: looks.length > 0,
    rest: session.context.rest,
    /** Reads the effects again and returns the result. Fails if an effect was repeated in the meantime. */
    async conclude(): Promise<CheckResult> {
      const finding = (await firstFailure(looks)) ?? first
      await session.forget()
      const result: CheckResult = {
        check: explainFailure(check, finding),
        verdict: finding?.kind ?? 'skipped',
        finding,
        missing: early?.missing ?? [],
        judged: finding ? listJudged(finding, session) : [],
        events: finding ? await collectEvents(session, shared, { finding, realStart }) : [],
        tookMs,
        knownFailure: shared.options.knownFailures.includes(check.id),
      }
      return maskResult(result, shared.mask)
    },
  }
}

async function firstFailure(looks: readonly (() => Promise<Finding | undefined>)[]) {
  try {
    for (const look of looks) {
      const finding = await look()
      if (finding) return finding
    }
    return undefined
  } catch (error) {
    if (error instanceof ProbeError) return probeFailed(error.message)
    throw error
  }
}

export function explainFailure(check: ReceiverCheck, finding: Finding | undefined): ReceiverCheck {
  const symptom = finding?.kind === 'failed' ? finding.symptom : undefined
  return symptom ? { ...check, ...check.explanations?.[symptom] } : check
}

async function obstacleOrFinding(
  check: ReceiverCheck,
  { context, close, log }: CheckSession,
  { unreached, silence }: Pick<CheckPlace, 'unreached'> & Pick<Shared, 'silence'>,
): Promise<Finding> {
  const silentFor = (why: string) => controlFailed(why, { exchanges: silence.first() })
  try {
    const why = silence.reason()
    if (check.probes !== 'address' && unreached !== null) return unreachable(unreached)
    if (check.probes !== 'address' && why !== undefined) return silentFor(why)
    const finding = await (check.negative === true ? runBetweenControls(check, context) : check.run(context))
    const silent = log.events.find((event) => event.kind === 'sent' && isNotSent(event.exchange))
    // Keeps the finding if the check failed and its evidence already shows a missing response.
    const isShown = finding.kind === 'failed' && finding.evidence.exchanges?.some(isTimedOut) === true
    return silent?.kind === 'sent' && !isShown ? silentFor(silent.exchange.message) : finding
  } catch (error) {
    // A failed probe does not end the run, because the next check may succeed.
    if (error instanceof ProbeError) return probeFailed(error.message)
    throw error
  } finally {
    await close()
  }
}

/** Runs the check between two valid notifications. The receiver must accept both, or the finding is inconclusive. */
async function runBetweenControls(check: ReceiverCheck, context: CheckContext): Promise<Finding> {
  const before = await sendControl(context, 'control before')
  if (before) return before
  const finding = await check.run(context)
  return (await sendControl(context, 'control after')) ?? finding
}

async function sendControl(context: CheckContext, label: string): Promise<Finding | undefined> {
  const types = context.receiver.types()
  const type = types.find((one) => one === 'items') ?? types[0]
  if (type === undefined) return notObservable('the receiver has no URL')
  const message = await context.service.create(type)
  return requireAccepted(
    await context.send(message, { label: `${label}: ${message.label}`, role: 'control' }),
  )
}

function listJudged({ kind: verdict }: Finding, { plays, log }: CheckSession): readonly PaymentKind[] {
  if (verdict !== 'passed' && verdict !== 'failed') return []
  const looks = log.events.flatMap((event) => (event.kind === 'effects' ? event.target : []))
  const isSeen = ({ reached }: BegunPayment) => looks.some((target) => isSameObject(target, reached()))
  return [...new Set(plays.filter(isSeen).map(({ kind }) => kind))]
}

async function collectEvents(
  { log, made }: CheckSession,
  { feed }: Shared,
  { finding, realStart }: { readonly finding: Finding; readonly realStart: number },
): Promise<RunEvent[]> {
  await feed.refresh()
  const deciding = new Set('evidence' in finding ? finding.evidence.calls?.map(({ id }) => id) : [])
  const ours = [...feed.records.values()].filter(
    ({ id, object_type, object_id }) => deciding.has(id) || made.has(`${object_type}/${object_id}`),
  )
  const called = ours.map((request) => ({
    kind: 'called' as const,
    atMs: Math.max(0, Date.parse(request.real_at) - realStart),
    request,
  }))
  return [...log.events, ...called.map((call) => afterItsDelivery(call, log.events))].toSorted(
    (a, b) => a.atMs - b.atMs,
  )
}

/** The precision of call times, in milliseconds. If the difference is smaller, a call is sorted after its delivery. */
const PRECISION_MS = 2

function afterItsDelivery(call: EventOf<'called'>, events: readonly RunEvent[]): EventOf<'called'> {
  const { object_type: type, object_id: id } = call.request
  const cause = events.find(
    (event) =>
      event.kind === 'sent' &&
      event.exchange.about?.type === type &&
      event.exchange.about.id === id &&
      event.atMs > call.atMs &&
      event.atMs <= call.atMs + PRECISION_MS,
  )
  return cause ? { ...call, atMs: cause.atMs } : call
}

export function judgeByConfiguration(
  check: ReceiverCheck,
  options: RunOptions,
): Pick<CheckResult, 'verdict' | 'finding' | 'missing'> | undefined {
  const missing = (check.needs ?? []).filter((need) => !isConfigured(need, options))
  const [need] = missing
  if (need === undefined) return undefined
  // A check of callbacks or signatures does not apply to a platform without callbacks or signatures.
  const isUnsigned = missing.includes('signature') && options.readings['signature'] === 'off'
  if (missing.includes('callbacks') || isUnsigned) return { verdict: 'skipped', finding: undefined, missing }
  const finding = notObservable(`set ${NEEDS[need].settings}${NEEDS[need].detail}${describeLoss([need])}`)
  return { verdict: finding.kind, finding, missing }
}
