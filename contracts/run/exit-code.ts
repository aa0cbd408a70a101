import type { Need } from '../check.ts'
import { reportedVerdict, type CheckResult, type RunResult } from './run-result.ts'

/** The conditions for exit code 0, in addition to the results of the checks. */
export interface Demands {
  readonly failOn: 'must' | 'should'
  readonly require: readonly Need[]
}

/** The conclusion of a run, which determines the exit code and the first line of every report. */
export type Conclusion = keyof typeof CONCLUSIONS

/** The tone of a conclusion in a report. An exit code other than 0 is never `good` or `partial`. */
export type Tone = 'good' | 'bad' | 'unknown' | 'partial'

export type Ending<ExitCode extends number> = readonly [exitCode: ExitCode, tone: Tone]

export const CONCLUSIONS = {
  unreached: [3, 'unknown'],
  failed: [1, 'bad'],
  'known-failure-passes': [1, 'bad'],
  'requirement-unseen': [2, 'unknown'],
  'consequence-unjudged': [2, 'unknown'],
  /** A required check has no verdict, for example because a control request failed. */
  inconclusive: [3, 'unknown'],
  /** No required check has a verdict. */
  'nothing-seen': [3, 'unknown'],
  'recommendation-failed': [0, 'partial'],
  'known-failures-only': [0, 'partial'],
  /** A required check could not observe calls or effects, or every required check was only partly observed. */
  'partly-seen': [0, 'partial'],
  passed: [0, 'good'],
} as const satisfies Readonly<Record<string, Ending<0 | 1 | 2 | 3>>>

/** Returns 0 (no failure), 1 (failure or fixed known failure), 2 (missing observation or consequence) or 3 (no verdict). */
export function toExitCode(result: Concluded, demands: Demands): 0 | 1 | 2 | 3 {
  return CONCLUSIONS[concludeRun(result, demands)][0]
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
  if (results.some(({ verdict, knownFailure }) => verdict === 'passed' && knownFailure))
    return 'known-failure-passes'
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

function isJudged({ verdict, knownFailure }: CheckResult): boolean {
  return verdict === 'passed' || verdict === 'failed' || (verdict === 'inconclusive' && knownFailure)
}

function isUnobserved({ check, verdict }: CheckResult, require: readonly Need[]): boolean {
  return verdict === 'not-observable' && (check.needs ?? []).some((need) => require.includes(need))
}

function isBlind({ verdict, missing }: CheckResult): boolean {
  return verdict === 'not-observable' && (missing.includes('effects') || missing.includes('calls'))
}
