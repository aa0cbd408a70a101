import { NEEDS, type Need } from '../check.ts'
import type { CheckResult, RunResult } from '../run/run-result.ts'
import { explainVerdict, formatCount } from './report.ts'

/** Checks that were not observable for one reason. */
export interface UnobservedGroup {
  /** What to do, or why it cannot be helped. */
  readonly text: string
  readonly results: readonly CheckResult[]
}

/** The checks that were not observable, by what would make them so; the largest group first. */
export function groupUnobserved({ results }: Pick<RunResult, 'results'>): readonly UnobservedGroup[] {
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
      results: members,
    }))
    .toSorted((a, b) => b.results.length - a.results.length)
}

/** A check with a verdict shows that all its needs were met. */
function isObserved({ verdict }: CheckResult): boolean {
  return verdict === 'passed' || verdict === 'failed'
}

function describeRemedy({ check }: CheckResult, seen: ReadonlySet<Need>): string | undefined {
  const missing = (check.needs ?? []).filter((need) => !seen.has(need))
  return missing.length === 0 ? undefined : `set ${missing.map((need) => NEEDS[need].settings).join(' and ')}`
}
