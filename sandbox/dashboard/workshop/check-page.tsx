import { RefusedError } from '../../client/requests.ts'
import { ActButton, CommandLine } from '../parts/act-button.tsx'
import { ListLine } from '../parts/line.tsx'
import { Pane } from '../parts/pane.tsx'
import { Facts } from '../parts/table.tsx'
import { useApp, useKeys, useListing } from '../parts/use-app.ts'
import { type SectionProps, useStepKeys } from './card.tsx'
import { RunPane } from './run-pane.tsx'
import type { CheckInfo, CheckOutcome, RunDetail } from '../../../spec/generated/control-types.ts'
import { formatCheck, formatRunState, verdictText } from './run-report.ts'
import { exact } from '../parts/exact-text.tsx'

const pathOf = (id?: string) => ({ screen: 'workshop', path: id === undefined ? ['checks'] : ['checks', id] })

export function CheckPage({ word, chosen }: SectionProps) {
  const { perform, go } = useApp()
  const list = useListing(() => perform('listChecks').catch(toRefusal))
  const listed = useListing(() => perform('listRuns'), ['run'])
  const runs = (listed?.runs ?? []).filter(({ kind }) => kind === 'checks').toReversed()
  const runId = word === 'runs' ? chosen : runs[0]?.id
  const run = useListing(
    async () => (runId === undefined ? undefined : perform('getRun', { path: { id: runId } })),
    ['run'],
    runId,
  )
  const checks = list && 'checks' in list ? list.checks : []
  const check = word === 'runs' ? undefined : checks.find(({ id }) => id === chosen)
  const outcomes = new Map(run?.outcomes.map((outcome) => [outcome.id, outcome]))
  const ids = checks.map(({ id }) => id)
  useStepKeys('checks', ids, check?.id)
  if (!list) return null
  if ('refusal' in list) return <p class="empty">{list.refusal}</p>
  return (
    <div class={`split with-pane world ${check ? '' : 'home'}`}>
      <CheckRows checks={checks} chosen={check?.id} outcomes={outcomes} run={run} />
      {check ? (
        <Pane label="Check" onClose={() => go(pathOf())}>
          <CheckPane {...check} outcome={outcomes.get(check.id)} />
        </Pane>
      ) : (
        <Pane label="Reports">
          {word === 'checks' && chosen !== undefined && (
            <p class="reason">The catalogue has no check "{chosen}"</p>
          )}
          <RunPane runs={runs} run={run} />
        </Pane>
      )}
    </div>
  )
}

function toRefusal(error: unknown) {
  if (!(error instanceof RefusedError)) throw error
  return { refusal: [error.message, error.hint].filter(Boolean).join(': ') }
}

interface CheckRowsProps {
  readonly checks: readonly CheckInfo[]
  readonly chosen: string | undefined
  readonly outcomes: ReadonlyMap<string, CheckOutcome>
  readonly run: RunDetail | undefined
}

function CheckRows({ checks, chosen, outcomes, run }: CheckRowsProps) {
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
            {members.map(({ id, severity }) => (
              <ListLine
                key={id}
                class="inner"
                route={pathOf(id)}
                isChosen={id === chosen}
                state={
                  <>
                    {severity} <Verdict {...outcomes.get(id)} />
                  </>
                }
              >
                <span class="mono">{id}</span>
              </ListLine>
            ))}
          </section>
        ))}
      </div>
    </div>
  )
}

function Verdict({ verdict }: Partial<CheckOutcome>) {
  return verdict ? <b class={verdict}>{verdictText(verdict)}</b> : null
}

function Controls({ count, run }: { readonly count: number; readonly run: RunDetail | undefined }) {
  const { perform, target } = useApp()
  const start = useRunChecks()
  return (
    <div class="checks">
      <div class="toolbar">
        {run?.status === 'running' ? (
          <ActButton
            act={() => perform('stopRun', { path: { id: run.id } })}
            done={() => 'Stopped, and the world is restored'}
          >
            Stop
          </ActButton>
        ) : (
          <button type="button" class="main" onClick={() => start()}>
            Run all {count}
          </button>
        )}
        <progress
          aria-label="Finished checks"
          max={run?.progress.total ?? 1}
          value={run?.progress.done ?? 0}
        />
        <span class="progress-text">{run ? formatRunState(run) : 'No check has run yet'}</span>
      </div>
      <CommandLine line={formatCheck('', target.value)} />
    </div>
  )
}

function CheckPane({ outcome, ...check }: CheckInfo & { readonly outcome: CheckOutcome | undefined }) {
  const { id, severity, requirement, source, readings, observed, meaning, remedy } = check
  const { target } = useApp()
  const start = useRunChecks()
  useKeys([{ key: 'Enter', about: 'run the check', run: () => start(id) }])
  const list = (texts: readonly string[]) => texts.length > 0 && texts.map((text) => <p key={text}>{text}</p>)
  return (
    <article class="details">
      <header>
        <h2 class="mono">{id}</h2>
        <p class="dim">{severity}</p>
      </header>
      <p>{requirement}</p>
      {outcome && (
        <p class={outcome.verdict === 'failed' ? 'reason' : ''}>
          <Verdict {...outcome} /> {exact(outcome.actual ?? '')}
        </p>
      )}
      <div class="actions">
        <button type="button" class="main" onClick={() => start(id)}>
          Run it
        </button>
      </div>
      <CommandLine line={formatCheck(id, target.value)} />
      <Facts
        facts={[
          ['Document', list(source)],
          ['Readings', list(readings)],
          ['Observed', list(observed)],
          ['Meaning', meaning],
          ['Fix', remedy],
        ]}
      />
    </article>
  )
}

/** Returns a function that runs a check, a topic or all checks. */
function useRunChecks(): (name?: string) => void {
  const { perform, run, go } = useApp()
  return (name) =>
    void run(async () => {
      await perform('startChecks', { body: name === undefined ? {} : { checks: [name] } })
      if (!name?.includes('/')) go(pathOf())
    })
}
