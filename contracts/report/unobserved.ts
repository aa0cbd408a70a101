import type { Need } from '../check.ts'
import type { CheckResult, RunResult } from '../run/run-result.ts'
import { formatCount, explainVerdict } from './report.ts'

/** What a configuration sets so that it can be observed. */
export const NEEDS: { readonly [Each in Need]: string } = {
  calls: 'receiver.callsBack',
  effects: 'effects.http',
  process: 'process.stop and process.start',
  callbacks: 'receiver.url.callbacks',
  'source-addresses': 'receiver.sourceAddresses',
}

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
    (result) => remedyOf(result, seen) ?? explainVerdict(result),
  )
  return [...groups]
    .map(([text, members]) => ({
      text: members.some((member) => remedyOf(member, seen) === text)
        ? `${text} to observe ${formatCount(members.length, 'more check')}`
        : text,
      results: members,
    }))
    .toSorted((a, b) => b.results.length - a.results.length)
}

/** What was needed by a check with a verdict was there. */
function isObserved({ verdict }: CheckResult): boolean {
  return verdict === 'passed' || verdict === 'failed'
}

function remedyOf({ check }: CheckResult, seen: ReadonlySet<Need>): string | undefined {
  const missing = (check.needs ?? []).filter((need) => !seen.has(need))
  return missing.length === 0 ? undefined : `set ${missing.map((need) => NEEDS[need]).join(' and ')}`
}
