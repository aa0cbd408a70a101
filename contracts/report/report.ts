import { NEEDS, type Need } from '../check.ts'
import type { ExploredCase } from '../explored-case.ts'
import type { Exchange } from '../finding.ts'
import type { Demands } from '../run/exit-code.ts'
import { reportedVerdict, type CheckResult, type ReportedVerdict, type RunResult } from '../run/run-result.ts'
import { formatSeconds } from '../toolkit/expectations.ts'
import { describeFlags } from '../../sandbox/internal.ts'
import { PROMISES } from '../../spec/generated/promises.ts'

export interface CaseRepeat {
  readonly command: string
  /** The source code of a Vitest test that fails until the receiver is fixed. */
  readonly test: string
}

export interface CheckReportOptions {
  readonly repeat: (id: string) => string
  readonly repeatCase?: (plan: ExploredCase) => CaseRepeat
}

export interface ReportOptions extends CheckReportOptions {
  /** The conditions for exit code 0. The headline must agree with the exit code. */
  readonly demands: Demands
  /** True if the report includes every exchange. By default, includes only exchanges that decided a finding. */
  readonly full?: boolean
}

export type Report = (result: RunResult, options: ReportOptions) => string

export function checkUrl(id: string): string {
  return `https://hookbench.github.io/hookbench/reference/checks#${id}`
}

export const LEVELS = ['answers', 'calls back', 'effects', 'process'] as const

/** Returns the verdict as text, such as `not observable`. */
export function verdictText(verdict: ReportedVerdict): string {
  return verdict.replace('-', ' ')
}

/** Returns quotes from the service's document, such as `L283 (§5): A receiver should …`. */
export function quoteSource({ check }: Pick<CheckResult, 'check'>): string[] {
  return check.lines.map((number) => {
    const line = documentLines[number]
    return line ? `L${number} (${line.section}): ${line.promises.join(' ')}` : `L${number}`
  })
}

const documentLines: Readonly<
  Record<string, { readonly section: string; readonly promises: readonly string[] }>
> = PROMISES

/** Returns a text that names the missing settings of a check, such as `set effects.http`. Undefined if no setting is missing. */
export function describeSettings({ missing }: Pick<CheckResult, 'missing'>): string | undefined {
  return missing.length === 0 ? undefined : `set ${listSettings(missing)}`
}

export function listSettings(missing: readonly Need[]): string {
  return missing.map((need) => NEEDS[need].settings).join(' and ')
}

/** For a passed check, the reason is the list of unobserved parts. */
export function explainVerdict(result: Pick<CheckResult, 'finding' | 'missing'>): string {
  const { finding } = result
  switch (finding?.kind) {
    case undefined:
      return describeSettings(result) ?? 'the configuration lacks a setting that this check needs'
    case 'passed':
      return finding.unobserved ?? ''
    case 'failed':
      return finding.actual
    case 'inconclusive':
      return finding.see ? `${finding.why}: see ${finding.see.join(' and ')}` : finding.why
    case 'not-observable':
      return finding.why
    default:
      return finding satisfies never
  }
}

/** Returns the failures that are not listed as known failures, required checks first. */
export function newFailures({ results }: Pick<RunResult, 'results'>): readonly CheckResult[] {
  const failed = results.filter(({ verdict, knownFailure }) => verdict === 'failed' && !knownFailure)
  const severe = failed.filter(({ check }) => check.severity === 'must')
  return [...severe, ...failed.filter(({ check }) => check.severity === 'should')]
}

export function knownFailures({ results }: Pick<RunResult, 'results'>): readonly CheckResult[] {
  return results.filter(({ verdict, knownFailure }) => knownFailure && verdict === 'failed')
}

export function fixedFailures({ results }: Pick<RunResult, 'results'>): readonly CheckResult[] {
  return results.filter(({ verdict, knownFailure }) => knownFailure && verdict === 'passed')
}

export function formatMs(durationMs: number): string {
  return `${Math.round(durationMs)} ms`
}

export function formatFlags({ flags }: Pick<Exchange, 'flags'>): string {
  return flags.length === 0 ? '' : ` (${describeFlags(flags)})`
}

export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The shortest effect delay that reports mention, in milliseconds. Late effects slow down the run. */
const LATE_MS = 1_000

export function describeEffectDelay({ effectDelay }: Pick<RunResult, 'effectDelay'>): string | undefined {
  const { latestMs = null, waitedMs = 0 } = effectDelay ?? {}
  if (latestMs === null || latestMs < LATE_MS) return undefined
  const [latest, waited] = [latestMs, waitedMs].map(formatSeconds)
  return `effects came within ${latest} · checks waited up to ${waited} for an effect`
}

/** Returns the verdict as a JSON value, such as `not_observable`. */
export function verdictName(
  result: Pick<CheckResult, 'verdict' | 'finding'>,
): 'passed' | 'failed' | 'inconclusive' | 'skipped' | 'partly_observed' | 'not_observable' {
  const verdict = reportedVerdict(result)
  if (verdict === 'partly-observed') return 'partly_observed'
  return verdict === 'not-observable' ? 'not_observable' : verdict
}

/** Formats a duration, such as `0.84 ms`, `12.3 ms`, `340 ms` or `2.1 s`. */
export function formatMeasuredTime(durationMs: number | null): string {
  if (durationMs === null) return '-'
  if (durationMs >= 10_000) return `${Math.round(durationMs / 1_000)} s`
  if (durationMs >= 1_000) return `${(durationMs / 1_000).toFixed(1).replace('.0', '')} s`
  if (durationMs >= 100) return `${Math.round(durationMs)} ms`
  return `${durationMs >= 10 ? durationMs.toFixed(1) : durationMs.toFixed(2)} ms`
}

/** Formats a round duration, such as `1 ms` or `10 s`. */
export function formatRound(durationMs: number): string {
  return durationMs >= 1_000 ? `${durationMs / 1_000} s` : `${durationMs} ms`
}
