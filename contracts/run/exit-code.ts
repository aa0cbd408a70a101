import type { Need } from '../check.ts'
import { reportedVerdict, type CheckResult, type RunResult } from './run-result.ts'

/** What is asked of a run beyond the checks. */
export interface Demands {
  /** The least severe failure that fails the run. */
  readonly failOn: 'must' | 'should'
  /** What has to be observed. */
  readonly require: readonly Need[]
}

/** What a run comes to: the exit code and the first line of every report follow from it. */
export type Conclusion = keyof typeof EXIT_CODES

const EXIT_CODES = {
  /** The receiver was not there: nothing is known about it. */
  unreached: 3,
  failed: 1,
  /** A check that is configured as known to fail passes. */
  'known-failure-passes': 1,
  /** What was required was not observable. */
  'requirement-unseen': 2,
  /** What the platform acts on could not be judged, in a run that should have. */
  'consequence-unjudged': 2,
  /** What the checks build on did not work. */
  inconclusive: 3,
  /** No must was put to the receiver, or none of them could be judged. */
  'nothing-seen': 3,
  /** No must failed, but a recommendation did, which was not asked for. */
  'recommendation-failed': 0,
  /** Nothing failed that is not known to fail. */
  'known-failures-only': 0,
  /** Nothing failed, but a must was unseen for want of calls back or effects, or no must was seen as a whole. */
  'partly-seen': 0,
  passed: 0,
} as const

/**
 * 0 nothing failed; 1 something did, or a known failure passes; 2 what was required was not observable, or what your platform
 * acts on was not judged; 3 the receiver could
 * not be reached, or failed at what the checks build on, or nothing was seen of it.
 */
export function toExitCode(result: Concluded, demands: Demands): 0 | 1 | 2 | 3 {
  return EXIT_CODES[concludeRun(result, demands)]
}

type Concluded = Pick<RunResult, 'results' | 'unreached' | 'consequences'>

export function concludeRun(
  { results, unreached, consequences }: Concluded,
  { failOn, require }: Demands,
): Conclusion {
  if (unreached !== null) return 'unreached'
  const musts = results.filter(({ check }) => check.severity === 'must')
  const counted = failOn === 'should' ? results : musts
  if (results.some((result) => failsRun(result, failOn))) return 'failed'
  if (results.some(isFixed)) return 'known-failure-passes'
  if (results.some((result) => isUnobserved(result, require))) return 'requirement-unseen'
  if (consequences.some(({ isMissed }) => isMissed)) return 'consequence-unjudged'
  if (counted.some(({ verdict, knownFailure }) => verdict === 'inconclusive' && !knownFailure))
    return 'inconclusive'
  if (!(musts.length > 0 ? musts : results).some(isJudged)) return 'nothing-seen'
  if (results.some(isNewFailure)) return 'recommendation-failed'
  if (results.some(({ verdict }) => verdict === 'failed')) return 'known-failures-only'
  const isWhole = (musts.length > 0 ? musts : results).some((one) => reportedVerdict(one) === 'passed')
  return musts.some(isBlind) || !isWhole ? 'partly-seen' : 'passed'
}

/** Whether this result alone fails the run. */
export function failsRun(result: CheckResult, failOn: Demands['failOn']): boolean {
  return isNewFailure(result) && (failOn === 'should' || result.check.severity === 'must')
}

function isNewFailure({ verdict, knownFailure }: CheckResult): boolean {
  return verdict === 'failed' && !knownFailure
}

function isFixed({ verdict, knownFailure }: CheckResult): boolean {
  return verdict === 'passed' && knownFailure
}

function isJudged({ verdict, knownFailure }: CheckResult): boolean {
  return verdict === 'passed' || verdict === 'failed' || (verdict === 'inconclusive' && knownFailure)
}

function isUnobserved({ check, verdict }: CheckResult, require: readonly Need[]): boolean {
  return verdict === 'not-observable' && (check.needs ?? []).some((need) => require.includes(need))
}

function isBlind({ verdict, missing }: CheckResult): boolean {
  return verdict === 'not-observable' && (missing.includes('effects') || missing.includes('calls'))
}
