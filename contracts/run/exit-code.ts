import type { Need } from '../check.ts'
import { reportedVerdict, type CheckResult, type RunResult } from './run-result.ts'

/** Conditions for exit code 0 besides the checks. */
export interface Demands {
  readonly failOn: 'must' | 'should'
  /** Observations that the run requires. */
  readonly require: readonly Need[]
}

/** The conclusion of a run. It decides the exit code and the first line of every report. */
export type Conclusion = keyof typeof EXIT_CODES

const EXIT_CODES = {
  unreached: 3,
  failed: 1,
  'known-failure-passes': 1,
  'requirement-unseen': 2,
  /** A configured consequence was not judged. */
  'consequence-unjudged': 2,
  /** A control failed. */
  inconclusive: 3,
  /** No required check was judged. */
  'nothing-seen': 3,
  'recommendation-failed': 0,
  'known-failures-only': 0,
  /**
   * A required check was not observed because calls or effects are missing, or every one was partly observed.
   */
  'partly-seen': 0,
  passed: 0,
} as const

/**
 * Returns 0 if nothing failed. Returns 1 for a failure or a known failure that passes. Returns 2 if a
 * required observation or consequence is missing. Returns 3 if the receiver could not be reached or judged.
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
