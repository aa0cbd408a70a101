import { quotedLine } from '../toolkit/document-lines.ts'
import type { CheckResult, RunResult, Verdict } from '../run/run-result.ts'

/** What every report is told beside the result. */
export interface ReportOptions {
  /** The command that repeats only this check. */
  readonly repeat: (id: string) => string
}

/** A run as the text of one file. */
export type Report = (result: RunResult, options: ReportOptions) => string

/** What is observed at each level, in a word or two. */
export const LEVELS = ['answers', 'calls back', 'effects', 'process'] as const

/** The verdict as a person reads it. */
export const VERDICTS: { readonly [Each in Verdict]: string } = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  'not-observable': 'not observable',
  skipped: 'skipped',
}

/** Each line of the document that the check comes from, as it is quoted. */
export function sourceOf({ check }: Pick<CheckResult, 'check'>): readonly string[] {
  return check.lines.map(quotedLine)
}

/** Why there is no other verdict; what was not seen if it passed. */
export function whyOf({ finding }: Pick<CheckResult, 'finding'>): string {
  switch (finding?.kind) {
    case undefined:
      return 'the profile has no place for it'
    case 'passed':
      return finding.unseen ?? ''
    case 'failed':
      return finding.actual
    case 'inconclusive':
    case 'not-observable':
      return finding.why
    default:
      return finding satisfies never
  }
}

/** What a person must look at, the gravest first; known failures are not among them until they pass. */
export function graveOf({ results }: Pick<RunResult, 'results'>): readonly CheckResult[] {
  const failed = results.filter(({ verdict, knownFailure }) => verdict === 'failed' && !knownFailure)
  const severe = failed.filter(({ check }) => check.severity === 'must')
  return [...severe, ...failed.filter(({ check }) => check.severity === 'should')]
}

/** The first thing to know: how many failed, and how many of them break the document or cost money. */
export function headlineOf(result: Pick<RunResult, 'results'>): string {
  const grave = graveOf(result)
  const musts = grave.filter(({ check }) => check.severity === 'must').length
  if (grave.length === 0) return mendedOf(result).length > 0 ? 'A known failure passes' : 'Nothing failed'
  const share =
    musts === grave.length ? '' : musts === 0 ? ', none of them a must' : `, ${musts} of them a must`
  return `${counted(grave.length, 'check')} failed${share}`
}

/** Those that were configured as known to fail, and pass. */
export function mendedOf({ results }: Pick<RunResult, 'results'>): readonly CheckResult[] {
  return results.filter(({ verdict, knownFailure }) => knownFailure && verdict === 'passed')
}

/** Milliseconds as every report says them. */
export function took(durationMs: number): string {
  return `${Math.round(durationMs)} ms`
}

/** `1 check`, `2 checks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
