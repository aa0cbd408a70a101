import type { Need } from '../check.ts'
import type { CheckResult, RunResult } from './run-result.ts'

/** What is asked of a run beyond the checks. */
export interface Demands {
  /** The least severe failure that fails the run. */
  readonly failOn: 'must' | 'should'
  /** What has to be observed. */
  readonly require: readonly Need[]
}

/**
 * 0 nothing failed; 1 something did, or a known failure passes; 2 what was required was not observable; 3 the receiver could
 * not be reached, or failed at what the checks build on.
 */
export function toExitCode(
  { results, unreached }: Pick<RunResult, 'results' | 'unreached'>,
  { failOn, require }: Demands,
): 0 | 1 | 2 | 3 {
  if (unreached !== null) return 3
  const counted = results.filter(({ check }) => failOn === 'should' || check.severity === 'must')
  if (counted.some(isFailed) || results.some(isFixed)) return 1
  if (results.some((result) => isUnobserved(result, require))) return 2
  return counted.some(({ verdict, knownFailure }) => verdict === 'inconclusive' && !knownFailure) ? 3 : 0
}

function isFailed({ verdict, knownFailure }: CheckResult): boolean {
  return verdict === 'failed' && !knownFailure
}

function isFixed({ verdict, knownFailure }: CheckResult): boolean {
  return verdict === 'passed' && knownFailure
}

function isUnobserved({ check, verdict }: CheckResult, require: readonly Need[]): boolean {
  return verdict === 'not-observable' && (check.needs ?? []).some((need) => require.includes(need))
}
