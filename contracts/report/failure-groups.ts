import type { CheckResult, RunResult } from '../run/run-result.ts'
import { evidenceOf } from './excerpt.ts'
import { exchangesAbout, findCause, hasOwnRemedy, surveyRun, type Cause, type Known } from './causes.ts'

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
  const known = surveyRun(results, open)
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
  const lead = hasOwnRemedy(cause) ? simplest(ranked, first) : first
  return [
    {
      cause: members.length > 1 || cause?.kind === 'not-reached' ? cause : undefined,
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
  return exchangesAbout(evidenceOf(finding).objects ?? [], events).length
}

function bySeverity(a: CheckResult, b: CheckResult): number {
  return Number(a.check.severity === 'should') - Number(b.check.severity === 'should')
}
