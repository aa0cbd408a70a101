import { useLayoutEffect, useRef } from 'preact/hooks'
import type { CheckInfo, CheckOutcome, RunDetail } from '../../../spec/generated/control-types.ts'
import { useApp } from '../parts/use-app.ts'
import { CommandLine } from './command-line.tsx'
import { formatCheck, standText, verdictText } from './run-report.ts'
import { useRunChecks } from './use-run-checks.ts'

interface CheckRowsProps {
  readonly checks: readonly CheckInfo[]
  readonly chosen: string | undefined
  /** By check id. */
  readonly outcomes: ReadonlyMap<string, CheckOutcome>
  readonly run: RunDetail | undefined
}

/** Every check by topic, with its verdict. */
export function CheckRows({ checks, chosen, outcomes, run }: CheckRowsProps) {
  const start = useRunChecks()
  return (
    <div class="rows">
      <Controls count={checks.length} run={run} />
      <div class="scroller" role="group" aria-label="Checks" tabIndex={0}>
        {[...Map.groupBy(checks, ({ topic }) => topic)].map(([topic, members]) => (
          <section key={topic} aria-label={topic}>
            <div class="line heading">
              <h2 class="name">{topic}</h2>
              <button type="button" aria-label={`Run ${topic}`} onClick={() => start(topic)}>
                Run
              </button>
            </div>
            {members.map((check) => (
              <Row
                key={check.id}
                {...check}
                isChosen={check.id === chosen}
                verdict={outcomes.get(check.id)?.verdict}
              />
            ))}
          </section>
        ))}
      </div>
    </div>
  )
}

interface RowProps extends Pick<CheckInfo, 'id' | 'severity'> {
  readonly isChosen: boolean
  readonly verdict: CheckOutcome['verdict'] | undefined
}

function Row({ id, severity, isChosen, verdict }: RowProps) {
  const { link } = useApp()
  const element = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    if (isChosen) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <a
      ref={element}
      class={isChosen ? 'line inner cursor' : 'line inner'}
      aria-current={isChosen ? 'true' : undefined}
      href={link({ screen: 'workshop', path: ['checks', id] })}
    >
      <span class="name mono">{id}</span>
      <span class="state">
        {severity} <span class={verdict}>{verdict && verdictText(verdict)}</span>
      </span>
    </a>
  )
}

/** Starts or stops a run and shows its progress. */
function Controls({ count, run }: { readonly count: number; readonly run: RunDetail | undefined }) {
  const { perform, run: act, target } = useApp()
  const start = useRunChecks()
  const isRunning = run?.status === 'running'
  return (
    <div class="checks">
      <div class="toolbar">
        {isRunning ? (
          <button
            type="button"
            onClick={() =>
              void act(
                () => perform('stopRun', { path: { id: run.id } }),
                () => 'Stopped: everything is as it was before',
              )
            }
          >
            Stop
          </button>
        ) : (
          <button type="button" class="main" onClick={() => start()}>
            Run all {count}
          </button>
        )}
        <progress
          aria-label="Checks that have ended"
          max={run?.progress.total ?? 1}
          value={run?.progress.done ?? 0}
        />
        <span class="progress-text">{run ? standText(run) : 'No checks were run yet'}</span>
      </div>
      <CommandLine line={formatCheck('', target.value)} />
    </div>
  )
}
