import { NEEDS, type Need } from '../check.ts'
import type { ExploredCase } from '../explored-case.ts'
import type { Exchange } from '../finding.ts'
import type { Demands } from '../run/exit-code.ts'
import { reportedVerdict, type CheckResult, type ReportedVerdict, type RunResult } from '../run/run-result.ts'
import { formatSeconds } from '../toolkit/expectations.ts'
import { describeFlags } from '../../sandbox/internal.ts'
import { PROMISES } from '../../spec/generated/promises.ts'

/** What plays a case again. */
export interface CaseRepeat {
  readonly command: string
  /** A vitest test that passes once the receiver does what it should. */
  readonly test: string
}

/** What it takes to report one check. */
export interface CheckReportOptions {
  /** The command that repeats only this check. */
  readonly repeat: (id: string) => string
  /** What repeats a case that a check has found. */
  readonly repeatCase?: (plan: ExploredCase) => CaseRepeat
}

/** What every report needs beside the result. */
export interface ReportOptions extends CheckReportOptions {
  /** What is asked of the run: its headline agrees with its exit code. */
  readonly demands: Demands
  /** Whether a page or a report for programs has every exchange. Defaults to those that decided. */
  readonly full?: boolean
}

/** A run as the text of one file. */
export type Report = (result: RunResult, options: ReportOptions) => string

/** Where the check is explained, on the page of all checks. */
export function checkUrl(id: string): string {
  return `https://hookbench.github.io/hookbench/reference/checks#${id}`
}

/** What is observed at each level, in a word or two. */
export const LEVELS = ['answers', 'calls back', 'effects', 'process'] as const

/** The verdict as a person reads it. */
export const VERDICTS: { readonly [Each in ReportedVerdict]: string } = {
  passed: 'passed',
  'partly-observed': 'partly observed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  'not-observable': 'not observable',
  skipped: 'skipped',
}

/** The lines of the service's document that the check comes from. */
export function quoteSource({ check }: Pick<CheckResult, 'check'>): readonly string[] {
  return check.lines.map(quoteLine)
}

interface DocumentLine {
  readonly section: string
  readonly promises: readonly string[]
}

const documentLines: ReadonlyMap<string, DocumentLine> = new Map(Object.entries(PROMISES))

/** What a line of the service's document promises: `L283 (§5): A receiver should …`. */
function quoteLine(number: number): string {
  const line = documentLines.get(String(number))
  return line ? `L${number} (${line.section}): ${line.promises.join(' ')}` : `L${number}`
}

/** What would have to be set for the check to be run, such as `set effects.http`; undefined if it was run. */
export function describeSettings({ missing }: Pick<CheckResult, 'missing'>): string | undefined {
  return missing.length === 0 ? undefined : `set ${listSettings(missing)}`
}

export function listSettings(missing: readonly Need[]): string {
  return missing.map((need) => NEEDS[need].settings).join(' and ')
}

/** The reason for the verdict; of a check that passed, what could not be observed. */
export function explainVerdict(result: Pick<CheckResult, 'finding' | 'missing'>): string {
  const { finding } = result
  switch (finding?.kind) {
    case undefined:
      return describeSettings(result) ?? 'your configuration has no place for it'
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

/** The failed checks that are not configured as known to fail; those that are a must come first. */
export function newFailures({ results }: Pick<RunResult, 'results'>): readonly CheckResult[] {
  const failed = results.filter(({ verdict, knownFailure }) => verdict === 'failed' && !knownFailure)
  const severe = failed.filter(({ check }) => check.severity === 'must')
  return [...severe, ...failed.filter(({ check }) => check.severity === 'should')]
}

/** The checks that are configured as known to fail, and fail. */
export function knownFailures({ results }: Pick<RunResult, 'results'>): readonly CheckResult[] {
  return results.filter(({ verdict, knownFailure }) => knownFailure && verdict === 'failed')
}

/** The checks that are configured as known to fail, and pass. */
export function fixedFailures({ results }: Pick<RunResult, 'results'>): readonly CheckResult[] {
  return results.filter(({ verdict, knownFailure }) => knownFailure && verdict === 'passed')
}

/** Such as `12 ms`. */
export function formatMs(durationMs: number): string {
  return `${Math.round(durationMs)} ms`
}

/** What was odd about an exchange, such as that it went out twice, behind what it is said of. */
export function formatFlags({ flags }: Pick<Exchange, 'flags'>): string {
  return flags.length === 0 ? '' : ` (${describeFlags(flags)})`
}

/** Names the world of a sandbox that the run used; empty if none was named. */
export function formatWorld({ world }: Pick<RunResult, 'world'>): readonly string[] {
  if (world === null) return []
  return [world === 'new' ? 'in its own world' : `in world ${world}`]
}

/** `1 check`, `2 checks`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** An effect that comes later than this is reported: what waits for effects takes as long. */
const LATE_MS = 1_000

/** Such as `effects came after up to 5 s · waited up to 15 s for one`; undefined where they come soon. */
export function describeEffectDelay({ effectDelay }: Pick<RunResult, 'effectDelay'>): string | undefined {
  const { latestMs = null, waitedMs = 0 } = effectDelay ?? {}
  if (latestMs === null || latestMs < LATE_MS) return undefined
  const [latest, waited] = [latestMs, waitedMs].map(formatSeconds)
  return `effects came after up to ${latest} · waited up to ${waited} for one`
}

/** The verdict as programs read it, such as `not_observable`. */
export function verdictName(
  result: Pick<CheckResult, 'verdict' | 'finding'>,
): 'passed' | 'failed' | 'inconclusive' | 'skipped' | 'partly_observed' | 'not_observable' {
  const verdict = reportedVerdict(result)
  if (verdict === 'partly-observed') return 'partly_observed'
  return verdict === 'not-observable' ? 'not_observable' : verdict
}

/** Such as `0.84 ms`, `12.3 ms`, `340 ms` or `2.1 s`. */
export function formatDuration(durationMs: number | null): string {
  if (durationMs === null) return '-'
  if (durationMs >= 10_000) return `${Math.round(durationMs / 1_000)} s`
  if (durationMs >= 1_000) return `${(durationMs / 1_000).toFixed(1).replace('.0', '')} s`
  if (durationMs >= 100) return `${Math.round(durationMs)} ms`
  return `${durationMs >= 10 ? durationMs.toFixed(1) : durationMs.toFixed(2)} ms`
}

/** The same for a round number: `1 ms`, `10 s`. */
export function formatRound(durationMs: number): string {
  return durationMs >= 1_000 ? `${durationMs / 1_000} s` : `${durationMs} ms`
}
