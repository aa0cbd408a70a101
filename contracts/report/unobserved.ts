import { NEEDS, type Need } from '../check.ts'
import { formatConsequence } from '../run/judged-consequences.ts'
import type { CheckResult, RunResult } from '../run/run-result.ts'
import { explainVerdict, formatCount } from './report.ts'

/** What was not observable for one reason. */
export interface UnobservedGroup {
  /** What to do, or why it cannot be helped. */
  readonly text: string
  /** Ids of checks, or what your platform acts on. */
  readonly names: readonly string[]
}

/** The checks that were not observable, by what would make them so; the largest group first. */
export function groupUnobserved(
  result: Pick<RunResult, 'results' | 'consequences'>,
): readonly UnobservedGroup[] {
  return [...groupChecks(result), ...groupConsequences(result)]
}

/** What your platform acts on and no check judged. What is not configured counts only where effects are seen. */
function groupConsequences({
  results,
  consequences,
}: Pick<RunResult, 'results' | 'consequences'>): readonly UnobservedGroup[] {
  const isSeeing = results.some((result) => isObserved(result) && result.check.needs?.includes('effects'))
  const unjudged = consequences.filter(
    ({ judgedBy, isConfigured }) => judgedBy.length === 0 && (isConfigured || isSeeing),
  )
  return [...Map.groupBy(unjudged, ({ obstacle }) => obstacle)].map(([obstacle, members]) => ({
    text: `it was not judged whether your platform acts once on a payment: ${obstacle}`,
    names: members.map(formatConsequence),
  }))
}

function groupChecks({ results }: Pick<RunResult, 'results'>): readonly UnobservedGroup[] {
  const seen = new Set(results.filter(isObserved).flatMap(({ check }) => check.needs ?? []))
  const groups = Map.groupBy(
    results.filter(({ verdict }) => verdict === 'not-observable'),
    (result) => describeRemedy(result, seen) ?? explainVerdict(result),
  )
  return [...groups]
    .map(([text, members]) => ({
      text: members.some((member) => describeRemedy(member, seen) === text)
        ? `${text} to observe ${formatCount(members.length, 'more check')}`
        : text,
      names: members.map(({ check }) => check.id),
    }))
    .toSorted((a, b) => b.names.length - a.names.length)
}

/** A check with a verdict shows that all its needs were met. */
function isObserved({ verdict }: CheckResult): boolean {
  return verdict === 'passed' || verdict === 'failed'
}

function describeRemedy({ check }: CheckResult, seen: ReadonlySet<Need>): string | undefined {
  const missing = (check.needs ?? []).filter((need) => !seen.has(need))
  return missing.length === 0 ? undefined : `set ${missing.map((need) => NEEDS[need].settings).join(' and ')}`
}
