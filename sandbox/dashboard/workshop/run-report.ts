import { commandLine, type CommandTarget } from '../../engine/core/command-line.ts'
import type { CheckOutcome, RunSummary, TraceEntry } from '../../../spec/generated/control-types.ts'

type Verdict = CheckOutcome['verdict']

/** Failures come first. */
const ORDER: readonly Verdict[] = [
  'failed',
  'inconclusive',
  'not_observable',
  'skipped',
  'partly_observed',
  'passed',
]

export function groupOutcomes(
  outcomes: readonly CheckOutcome[],
): (readonly [Verdict, readonly CheckOutcome[]])[] {
  const groups = Map.groupBy(outcomes, ({ verdict }) => verdict)
  return ORDER.flatMap((verdict) => {
    const group = groups.get(verdict)
    return group ? [[verdict, group] as const] : []
  })
}

/** Formats a verdict, such as `not observable`. */
export function verdictText(verdict: Verdict): string {
  return verdict.replaceAll('_', ' ')
}

/** Formats the state of a run in one or two words. */
export function runText({ status, conclusion, progress: { done, total } }: RunSummary): string {
  return status === 'running' ? `${done} of ${total ?? '…'}` : (conclusion ?? status)
}

/** Formats the state of a run in a sentence. */
export function standText(run: RunSummary): string {
  const { status, progress, headline, error } = run
  return status === 'running' ? `${runText(run)}: ${progress.text}` : (error ?? headline ?? status)
}

/** Formats the command that runs a check, a topic or all checks. */
export function formatCheck(name = '', target?: CommandTarget): string {
  // A word after `--attach` would be its address.
  return commandLine(['check', name, '--attach'].filter(Boolean).join(' '), target)
}

/** The shown part of the output of `check --json`. */
interface CheckReport {
  readonly failures: readonly ReportedFailure[]
  readonly checks: readonly ReportedCheck[]
}

/** Failures of one cause, with the check to look at first. */
export interface ReportedFailure {
  readonly title: string
  readonly check: string
  readonly others: readonly string[]
  readonly unjudged: readonly string[]
}

export interface ReportedCheck {
  readonly id: string
  readonly severity: string
  readonly requirement: string
  readonly expected: string | null
  readonly actual: string | null
  /** The command that repeats the check. */
  readonly repeat?: string
  readonly exchanges: readonly RunEvent[]
}

/** The program that serves the page writes the report, so the names suffice. */
export function isCheckReport(report: object): report is CheckReport {
  return 'failures' in report && 'checks' in report
}

/** An event of a check or a rehearsal. */
export interface RunEvent {
  readonly kind: 'world' | 'sent' | 'called' | 'effects'
  readonly at_ms: number
  readonly text?: string
  readonly label?: string
  readonly status?: number | null
  readonly reason?: string | null
  readonly request?: {
    readonly method?: string
    readonly path?: string
    readonly status?: number | null
    readonly body?: string | null
  }
  readonly response?: { readonly body?: string } | null
  readonly object_type?: string | null
  readonly id?: string
  readonly effects?: number
}

/** The program that serves the page writes the events. */
export function isRunEvent(entry: TraceEntry | RunEvent): entry is RunEvent {
  return 'kind' in entry
}
