import { useLayoutEffect, useRef } from 'preact/hooks'
import { RefusedError } from '../../client/requests.ts'
import type { Perform } from '../../compose/perform.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Pane } from '../parts/pane.tsx'
import { useApp, useKeys, useListing } from '../parts/use-app.ts'
import { CommandLine, type SectionProps, useStepKeys } from './card.tsx'
import { RunPane } from './run-pane.tsx'
import type { CheckInfo, CheckOutcome, RunDetail } from '../../../spec/generated/control-types.ts'
import { formatCheck, standText, verdictText } from './run-report.ts'
import { ExactText } from '../delivery/exact-text.tsx'

/** The checks with the results of a run. Defaults to the newest run. */
export function CheckPage({ word, chosen, runs: all }: SectionProps) {
  const { perform, go } = useApp()
  const list = useListing(() => listChecks(perform), [])
  const runs = all.filter(({ kind }) => kind === 'checks').toReversed()
  const runId = word === 'runs' ? chosen : runs[0]?.id
  const run = useListing(
    async () => (runId === undefined ? undefined : perform('getRun', { path: { id: runId } })),
    ['run'],
    runId,
  )
  const checks = list?.checks ?? []
  const check = word === 'runs' ? undefined : checks.find(({ id }) => id === chosen)
  const outcomes = new Map(run?.outcomes.map((outcome) => [outcome.id, outcome]))
  useStepKeys(
    'checks',
    checks.map(({ id }) => id),
    check?.id,
  )
  if (!list) return null
  if (list.refusal !== '') return <p class="empty">{list.refusal}</p>
  return (
    <div class={`split with-pane world${check ? '' : ' home'}`}>
      <CheckRows checks={checks} chosen={check?.id} outcomes={outcomes} run={run} />
      {check ? (
        <Pane label="Check" onClose={() => go({ screen: 'workshop', path: ['checks'] })}>
          <CheckPane check={check} outcome={outcomes.get(check.id)} />
        </Pane>
      ) : (
        <Pane label="Reports">
          {word === 'checks' && chosen !== undefined && <p class="reason">There is no check "{chosen}"</p>}
          <RunPane runs={runs} run={run} />
        </Pane>
      )}
    </div>
  )
}

/** A sandbox without checks names the package that has them. */
async function listChecks(perform: Perform) {
  try {
    return { ...(await perform('listChecks')), refusal: '' }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return { checks: [], refusal: [error.message, error.hint].filter(Boolean).join(': ') }
  }
}

interface CheckRowsProps {
  readonly checks: readonly CheckInfo[]
  readonly chosen: string | undefined
  /** By check id. */
  readonly outcomes: ReadonlyMap<string, CheckOutcome>
  readonly run: RunDetail | undefined
}

/** Every check by topic, with its verdict. */
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
  const { perform, target } = useApp()
  const start = useRunChecks()
  const isRunning = run?.status === 'running'
  return (
    <div class="checks">
      <div class="toolbar">
        {isRunning ? (
          <ActButton
            act={() => perform('stopRun', { path: { id: run.id } })}
            done={() => 'Stopped: everything is as it was before'}
          >
            Stop
          </ActButton>
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

interface CheckPaneProps {
  readonly check: CheckInfo
  /** The check's result in the last run. */
  readonly outcome: CheckOutcome | undefined
}

/** The purpose of a check, its consequence, and the remedy. */
function CheckPane({ check, outcome }: CheckPaneProps) {
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

/** Runs a check, a topic or all checks against the registered receiver. */
function useRunChecks(): (name?: string) => void {
  const { perform, run, go } = useApp()
  return (name) =>
    void run(async () => {
      await perform('startChecks', { body: name === undefined ? {} : { checks: [name] } })
      if (name === undefined) go({ screen: 'workshop', path: ['checks'] })
    })
}
