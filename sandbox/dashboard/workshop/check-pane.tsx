import type { CheckInfo, CheckOutcome } from '../../../spec/generated/control-types.ts'
import { ExactText } from '../delivery/exact-text.tsx'
import { useApp, useKeys } from '../parts/use-app.ts'
import { CommandLine } from './command-line.tsx'
import { formatCheck, verdictText } from './run-report.ts'
import { useRunChecks } from './use-run-checks.ts'

interface CheckPaneProps {
  readonly check: CheckInfo
  /** The check's result in the last run. */
  readonly outcome: CheckOutcome | undefined
}

/** The purpose of a check, its consequence, and the remedy. */
export function CheckPane({ check, outcome }: CheckPaneProps) {
  const { id, severity, requirement, source, readings, observed, meaning, remedy } = check
  const { target } = useApp()
  const start = useRunChecks()
  useKeys([{ key: 'Enter', about: 'run the check', run: () => start(id) }])
  const rows = [
    ['Document', source],
    ['Readings', readings],
    ['Observed', observed],
    ['Meaning', [meaning]],
    ['Fix', [remedy]],
  ] as const
  return (
    <article class="details">
      <header>
        <h2 class="mono">{id}</h2>
        <p class="dim">{severity}</p>
      </header>
      <p>{requirement}</p>
      {outcome && (
        <p class={outcome.verdict === 'failed' ? 'reason' : ''}>
          <b class={outcome.verdict}>{verdictText(outcome.verdict)}</b>{' '}
          <ExactText text={outcome.actual ?? ''} />
        </p>
      )}
      <div class="actions">
        <button type="button" class="main" onClick={() => start(id)}>
          Run it
        </button>
      </div>
      <CommandLine line={formatCheck(id, target.value)} />
      <dl class="explained">
        {rows.map(([name, texts]) =>
          texts.length === 0 ? null : (
            <div key={name}>
              <dt class="dim">{name}</dt>
              {texts.map((text) => (
                <dd key={text}>{text}</dd>
              ))}
            </div>
          ),
        )}
      </dl>
    </article>
  )
}
