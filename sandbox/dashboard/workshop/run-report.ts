import { commandLine, type CommandTarget } from '../../engine/core/command-line.ts'
import type { CheckOutcome, RunSummary } from '../../../spec/generated/control-types.ts'

type Verdict = CheckOutcome['verdict']

/** What is to be mended comes first. */
const ORDER: readonly Verdict[] = [
  'failed',
  'inconclusive',
  'not_observable',
  'skipped',
  'partly_observed',
  'passed',
]

/** What checks found, by verdict. */
export function groupOutcomes(
  outcomes: readonly CheckOutcome[],
): (readonly [Verdict, readonly CheckOutcome[]])[] {
  const groups = Map.groupBy(outcomes, ({ verdict }) => verdict)
  return ORDER.flatMap((verdict) => {
    const group = groups.get(verdict)
    return group ? [[verdict, group] as const] : []
  })
}

/** `not observable` */
export function verdictText(verdict: Verdict): string {
  return verdict.replaceAll('_', ' ')
}

/** How a run stands, in a word or two. */
export function runText({ status, conclusion, progress: { done, total } }: RunSummary): string {
  return status === 'running' ? `${done} of ${total ?? '…'}` : (conclusion ?? status)
}

/** The same in a sentence. */
export function standText(run: RunSummary): string {
  const { status, progress, headline, error } = run
  return status === 'running' ? `${runText(run)}: ${progress.text}` : (error ?? headline ?? status)
}

/** What runs checks in a terminal: a check or a topic, or all of them. */
export function formatCheck(name = '', target?: CommandTarget): string {
  // What follows `--attach` is taken for its address.
  return commandLine(['check', name, '--attach'].filter(Boolean).join(' '), target)
}
