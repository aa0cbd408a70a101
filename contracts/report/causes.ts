import type { NotifiedType } from '../../spec/notifications.ts'
import { isSameObject, type Exchange, type ObjectRef, type Symptom } from '../finding.ts'
import type { CheckResult, EventOf } from '../run/run-result.ts'
import { exchangesAbout } from './events.ts'
import { evidenceOf } from './excerpt.ts'
import { isAccepted, isReached, isTimedOut } from '../toolkit/expectations.ts'

/** The common cause of several checks that failed or have no verdict. */
export type Cause =
  /** The receiver rejects ordinary notifications of this type with this response. An undefined type means all types. */
  | { readonly kind: 'refused'; readonly type: NotifiedType | undefined; readonly answer: RejectedAnswer }
  /** The receiver sent bytes that are not HTTP, such as a body after 204, which corrupt the next response. */
  | { readonly kind: 'protocol-error' }
  /** The run observed no effect on any object of this type. If the type is undefined, the run observed no effect at all. */
  | { readonly kind: 'no-effect'; readonly type: NotifiedType | undefined }
  /** The receiver acted on objects of this type in a state that requires no effect. */
  | { readonly kind: 'undue-effect'; readonly type: NotifiedType; readonly state: string }
  /** The receiver acted more than once on one object. An undefined type means several types. */
  | {
      readonly kind: 'repeated-effect' | 'repeated-after-start'
      readonly type: NotifiedType | undefined
    }
  /** The receiver reports a state that is older than the last notified state. An undefined type means several types. */
  | { readonly kind: 'ignored-state'; readonly type: NotifiedType | undefined }
  /** The receiver was reachable at the start of the run, but not later. */
  | { readonly kind: 'not-reached'; readonly reason: string }
  | { readonly kind: 'probe-failed' }

/** The HTTP status of a rejection, or the way in which the answer failed. */
export type RejectedAnswer = number | 'too-late' | 'cut-off'

/** Collects the facts from which causes are derived. `open` lists the checks that failed or have no verdict. */
export function surveyRun(results: readonly CheckResult[], open: readonly CheckResult[]) {
  const passed = results.filter(({ verdict }) => verdict === 'passed')
  const repeated = open.filter((one) => symptomOf(one) === 'repeated-effect')
  return {
    /** The rejections of ordinary notifications, such as `500 transactions` for one type and `500` for any type. */
    refusals: usualRefusals(open),
    acceptsAny: results.some(acceptsUsual),
    acted: new Set(effectsIn(results).map(({ target }) => target.type)),
    /** The states in which an effect was correct, such as `transactions successful`. */
    rightly: new Set(effectsIn(passed).map(stateKey)),
    /** `onlyAfterStart` is true if each repeated effect followed a restart of the process. */
    repeated: {
      types: targetTypes(repeated),
      onlyAfterStart: repeated.every(({ check }) => check.needs?.includes('process')),
    },
    ignored: targetTypes(open.filter(ignoresState)),
  }
}

export type RunSurvey = ReturnType<typeof surveyRun>

function symptomOf({ finding }: CheckResult): Symptom | undefined {
  return finding && 'symptom' in finding ? finding.symptom : undefined
}

function targetOf({ finding }: CheckResult): ObjectRef | undefined {
  return evidenceOf(finding).objects?.[0]
}

function targetTypes(results: readonly CheckResult[]): ReadonlySet<NotifiedType> {
  return new Set(results.flatMap((one) => targetOf(one)?.type ?? []))
}

/** Returns true if the receiver ignores the last notified state. Also returns true if the body has no state. */
function ignoresState(result: CheckResult): boolean {
  const target = targetOf(result)
  if (symptomOf(result) !== 'other-state' || !target) return false
  const last = result.events
    .filter((event) => event.kind === 'effects')
    .findLast((event) => isSameObject(event.target, target))
  const sent = exchangesAbout([target], result.events).at(-1)
  return sent !== undefined && isAccepted(sent) && readState(sent) !== last?.seen.state
}

function readState({ request }: Exchange): unknown {
  try {
    return Object.values(Object(JSON.parse(request.body))).map((object) =>
      Reflect.get(Object(object), 'state'),
    )[0]
  } catch {
    return undefined
  }
}

function usualRefusals(open: readonly CheckResult[]): ReadonlySet<string> {
  const usual = open.flatMap(evidenceExchanges).filter(isOrdinary)
  return new Set(usual.filter(isRefusal).flatMap((one) => [refusalKey(one), String(answerOf(one))]))
}

function isOrdinary({ isUsual, role }: Exchange): boolean {
  return isUsual === true || role === 'control'
}

function acceptsUsual({ events }: CheckResult): boolean {
  return events.some(
    (event) => event.kind === 'sent' && isOrdinary(event.exchange) && isAccepted(event.exchange),
  )
}

function effectsIn(results: readonly CheckResult[]): readonly EventOf<'effects'>[] {
  const effects = results.flatMap(({ events }) => events).filter((event) => event.kind === 'effects')
  return effects.filter(({ seen }) => seen.effects > 0)
}

function stateKey({ target, seen }: EventOf<'effects'>): string {
  return `${target.type} ${seen.state}`
}

/** Returns the cause that the check can share with other checks. Undefined if there is no such cause. */
export function findCause(result: CheckResult, known: RunSurvey): Cause | undefined {
  const { finding } = result
  if (finding?.kind === 'inconclusive' && finding.cause === 'unreachable') {
    return { kind: 'not-reached', reason: finding.evidence.exchanges?.[0]?.reason ?? '' }
  }
  if (finding?.kind === 'inconclusive' && finding.cause === 'probe-failed') return { kind: 'probe-failed' }
  if (finding?.kind !== 'failed' && finding?.kind !== 'inconclusive') return undefined
  const objects = finding.evidence.objects ?? []
  const isBroken = ({ reason }: Exchange) => reason === 'protocol_error'
  if ([...evidenceExchanges(result), ...exchangesAbout(objects, result.events)].some(isBroken))
    return { kind: 'protocol-error' }
  if (finding.symptom === 'undue-effect') return undueEffectCause(objects, result, known)
  if (finding.symptom === 'repeated-effect') {
    const { types, onlyAfterStart } = known.repeated
    if (objects.length === 0) return undefined
    return { kind: onlyAfterStart ? 'repeated-after-start' : 'repeated-effect', type: onlyOne(types) }
  }
  if (ignoresState(result)) return { kind: 'ignored-state', type: onlyOne(known.ignored) }
  // If the receiver acts on a rejected notification, the rejection is not the cause of the failure.
  if (hasActed(result)) return undefined
  const isMissing = finding.symptom === 'missing-effect'
  const exchanges = isMissing
    ? exchangesAbout(objects, result.events).filter((one) => known.refusals.has(refusalKey(one)))
    : evidenceExchanges(result)
  return refusalCause(exchanges, known) ?? (isMissing ? missingEffectCause(objects, known) : undefined)
}

function refusalCause(
  exchanges: readonly Exchange[],
  { refusals, acceptsAny }: RunSurvey,
): Cause | undefined {
  const refused = exchanges.filter(isRefusal)
  const [first] = refused
  if (!first) return undefined
  // If the receiver accepts no ordinary notification at all, the type of the notification does not matter.
  const keyOf = (one: Exchange) => (acceptsAny ? refusalKey(one) : String(answerOf(one)))
  if (!refused.every((one) => refusals.has(keyOf(one)))) return undefined
  return { kind: 'refused', type: acceptsAny ? first.about?.type : undefined, answer: answerOf(first) }
}

function undueEffectCause(
  objects: readonly ObjectRef[],
  result: CheckResult,
  { rightly }: RunSurvey,
): Cause | undefined {
  const looks = effectsIn([result])
  const target = objects.find((object) => looks.some((look) => isSameObject(look.target, object)))
  const seen = target && looks.findLast((look) => isSameObject(look.target, target))
  if (!seen || seen.seen.state === null || rightly.has(stateKey(seen))) return undefined
  return { kind: 'undue-effect', type: seen.target.type, state: seen.seen.state }
}

function onlyOne<Each>(each: ReadonlySet<Each>): Each | undefined {
  return each.size === 1 ? [...each][0] : undefined
}

function missingEffectCause([target]: readonly ObjectRef[], { acted }: RunSurvey): Cause | undefined {
  if (!target || acted.has(target.type)) return undefined
  return { kind: 'no-effect', type: acted.size === 0 ? undefined : target.type }
}

function evidenceExchanges({ finding }: CheckResult): readonly Exchange[] {
  return evidenceOf(finding).exchanges ?? []
}

/** Returns true if the receiver acted on an object whose notification it rejected. */
function hasActed(result: CheckResult): boolean {
  const refused = evidenceExchanges(result).filter(isRefusal)
  return result.events.some(
    (event) =>
      event.kind === 'effects' &&
      event.seen.effects > 0 &&
      refused.some(({ about }) => isSameObject(about, event.target)),
  )
}

function isRefusal(exchange: Exchange): boolean {
  return isReached(exchange) && !isAccepted(exchange)
}

function refusalKey(exchange: Exchange): string {
  return `${answerOf(exchange)} ${exchange.about?.type}`
}

function answerOf(exchange: Exchange): RejectedAnswer {
  return exchange.status ?? (isTimedOut(exchange) ? 'too-late' : 'cut-off')
}
