import type { NotifiedType } from '../../spec/notifications.ts'
import type { Exchange, ObjectRef } from '../finding.ts'
import type { CheckResult, RunEvent, RunResult } from '../run/run-result.ts'
import { isAccepted, isReached, isTimedOut } from '../toolkit/expectations.ts'

/** What several checks fail for, or cannot be judged for. */
export type Cause =
  /** Usual notifications of this type have this answer; of every type, and whatever else is sent, where none is named. */
  | { readonly kind: 'refused'; readonly type: NotifiedType | undefined; readonly answer: Answer }
  /** In the whole run nothing was done, for any object or for any of this type. */
  | { readonly kind: 'no-effect'; readonly type: NotifiedType | undefined }
  /** It was there at first, and later was not. */
  | { readonly kind: 'not-reached'; readonly reason: string }

/** A status, or in which way there was none. */
export type Answer = number | 'too-late' | 'cut-off'

/** Checks that one cause explains; or one check, of which no such cause is known. */
export interface FailureGroup {
  readonly cause: Cause | undefined
  /** The one to look at first: of the most severe ones the first, or the simplest. */
  readonly lead: CheckResult
  /** What failed beside it. */
  readonly others: readonly CheckResult[]
  /** What could not be judged for it. */
  readonly unjudged: readonly CheckResult[]
}

/**
 * The failures that are not known, by their causes, and the one to mend first ahead: a must before a recommendation, then what
 * keeps other checks from being judged, then the order of the catalogue. What could not be judged for none of these is left out.
 */
export function groupFailures(run: Pick<RunResult, 'results'>): readonly FailureGroup[] {
  return groupByCause(run)
    .filter(({ lead }) => lead.verdict === 'failed')
    .toSorted((a, b) => rank(a) - rank(b))
}

/** What could not be judged, and no failure explains, by its causes. */
export function groupUnjudged(run: Pick<RunResult, 'results'>): readonly FailureGroup[] {
  return groupByCause(run).filter(({ lead }) => lead.verdict === 'inconclusive')
}

/** How many checks failed for it. */
export function countFailed({ others }: FailureGroup): number {
  return others.length + 1
}

function rank({ lead, cause }: FailureGroup): number {
  return (lead.check.severity === 'must' ? 0 : 2) + (cause === undefined ? 1 : 0)
}

function groupByCause({ results }: Pick<RunResult, 'results'>): readonly FailureGroup[] {
  const open = results.filter(
    ({ verdict, knownFailure }) => !knownFailure && (verdict === 'failed' || verdict === 'inconclusive'),
  )
  const known: Known = {
    refusals: usualRefusals(open),
    acceptsAny: results.some(acceptsUsual),
    acted: typesWithEffect(results),
  }
  const groups = Map.groupBy(open, (result) => {
    const cause = findCause(result, known)
    return cause ? JSON.stringify(cause) : result.check.id
  })
  return [...groups.values()].flatMap((members) => toGroup(members, known))
}

function toGroup(members: readonly CheckResult[], known: Known): readonly FailureGroup[] {
  const failed = members.filter(({ verdict }) => verdict === 'failed')
  const unjudged = members.filter(({ verdict }) => verdict === 'inconclusive')
  const ranked = [...failed.toSorted(bySeverity), ...unjudged]
  const [first] = ranked
  if (!first) return []
  const cause = findCause(first, known)
  const lead = cause?.kind === 'no-effect' ? simplest(ranked, first) : first
  return [
    {
      cause,
      lead,
      others: failed.filter((one) => one !== lead).toSorted(bySeverity),
      unjudged: unjudged.filter((one) => one !== lead),
    },
  ]
}

/** Of those that are as severe: the one that needed the fewest deliveries to show it. */
function simplest(members: readonly CheckResult[], first: CheckResult): CheckResult {
  const alike = members.filter(
    ({ verdict, check }) => verdict === first.verdict && check.severity === first.check.severity,
  )
  return alike.reduce((best, one) => (countDeliveries(one) < countDeliveries(best) ? one : best), first)
}

function countDeliveries({ finding, events }: CheckResult): number {
  const objects = (finding && 'evidence' in finding && finding.evidence.objects) || []
  return exchangesAbout(objects, events).length
}

function bySeverity(a: CheckResult, b: CheckResult): number {
  return Number(a.check.severity === 'should') - Number(b.check.severity === 'should')
}

/** What the run as a whole shows. */
interface Known {
  /** How usual notifications were refused in what failed: `500 transactions`, and `500` for what is sent beside them. */
  readonly refusals: ReadonlySet<string>
  /** Whether any usual notification was accepted. */
  readonly acceptsAny: boolean
  /** The types of which any object had an effect. */
  readonly acted: ReadonlySet<NotifiedType>
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

function typesWithEffect(results: readonly CheckResult[]): ReadonlySet<NotifiedType> {
  const effects = results.flatMap(({ events }) => events).filter((event) => event.kind === 'effects')
  return new Set(effects.filter(({ seen }) => seen.effects > 0).map(({ target }) => target.type))
}

/** Undefined where the check may have failed for something of its own. */
function findCause(result: CheckResult, known: Known): Cause | undefined {
  const { finding } = result
  if (finding?.kind === 'inconclusive' && finding.cause === 'unreachable') {
    return { kind: 'not-reached', reason: finding.evidence.exchanges?.[0]?.reason ?? '' }
  }
  if (finding?.kind !== 'failed' && finding?.kind !== 'inconclusive') return undefined
  // Who acts although it refuses does more than refuse.
  if (finding.symptom === 'extra-effect' || hasActed(result)) return undefined
  const objects = finding.evidence.objects ?? []
  const isMissing = finding.symptom === 'missing-effect'
  const exchanges = isMissing
    ? exchangesAbout(objects, result.events).filter((one) => known.refusals.has(refusalKey(one)))
    : evidenceExchanges(result)
  return refusalCause(exchanges, known) ?? (isMissing ? missingEffectCause(objects, known) : undefined)
}

function refusalCause(exchanges: readonly Exchange[], { refusals, acceptsAny }: Known): Cause | undefined {
  const refused = exchanges.filter(isRefusal)
  const [first] = refused
  if (!first) return undefined
  // Who takes nothing usual refuses everything in the same way, whatever it is about.
  const keyOf = (one: Exchange) => (acceptsAny ? refusalKey(one) : String(answerOf(one)))
  if (!refused.every((one) => refusals.has(keyOf(one)))) return undefined
  return { kind: 'refused', type: acceptsAny ? first.about?.type : undefined, answer: answerOf(first) }
}

function missingEffectCause([target]: readonly ObjectRef[], { acted }: Known): Cause | undefined {
  if (!target || acted.has(target.type)) return undefined
  return { kind: 'no-effect', type: acted.size === 0 ? undefined : target.type }
}

function evidenceExchanges({ finding }: CheckResult): readonly Exchange[] {
  return (finding && 'evidence' in finding && finding.evidence.exchanges) || []
}

/** Whether anything was done about the objects that were refused. */
function hasActed(result: CheckResult): boolean {
  const refused = evidenceExchanges(result).filter(isRefusal)
  return result.events.some(
    (event) =>
      event.kind === 'effects' &&
      event.seen.effects > 0 &&
      refused.some(({ about }) => isSame(about, event.target)),
  )
}

function exchangesAbout(objects: readonly ObjectRef[], events: readonly RunEvent[]): readonly Exchange[] {
  return events.flatMap((event) =>
    event.kind === 'sent' && objects.some((object) => isSame(event.exchange.about, object))
      ? [event.exchange]
      : [],
  )
}

function isSame(one: ObjectRef | undefined, other: ObjectRef): boolean {
  return one?.type === other.type && one.id === other.id
}

function isRefusal(exchange: Exchange): boolean {
  return isReached(exchange) && !isAccepted(exchange)
}

function refusalKey(exchange: Exchange): string {
  return `${answerOf(exchange)} ${exchange.about?.type}`
}

function answerOf(exchange: Exchange): Answer {
  return exchange.status ?? (isTimedOut(exchange) ? 'too-late' : 'cut-off')
}
