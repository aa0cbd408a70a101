import { commandLine, type CommandTarget } from '../../engine/core/command-line.ts'
import type { CheckOutcome, RunSummary } from '../../../spec/generated/control-types.ts'

type ReportedVerdict = CheckOutcome['verdict']

const ORDER: readonly ReportedVerdict[] = [
  'failed',
  'inconclusive',
  'not_observable',
  'skipped',
  'partly_observed',
  'passed',
]

export function groupOutcomes(
  outcomes: readonly CheckOutcome[],
): (readonly [ReportedVerdict, readonly CheckOutcome[]])[] {
  const groups = Map.groupBy(outcomes, ({ verdict }) => verdict)
  return ORDER.map((verdict) => [verdict, groups.get(verdict) ?? []] as const).filter(
    ([, group]) => group.length > 0,
  )
}

export function verdictText(verdict: ReportedVerdict): string {
  return verdict.replaceAll('_', ' ')
}

export function runText({ status, conclusion, progress: { done, total } }: RunSummary): string {
  return status === 'running' ? `${done} of ${total ?? '…'}` : (conclusion ?? status)
}

export function formatRunState(run: RunSummary): string {
  const { status, progress, headline, error } = run
  return status === 'running' ? `${runText(run)}: ${progress.text}` : (error ?? headline ?? status)
}

export function formatCheck(name = '', target?: CommandTarget): string {
  // `--attach` comes last, because the command line parser reads the word after it as an address.
  return commandLine(['check', name, '--attach'].filter(Boolean).join(' '), target)
}
