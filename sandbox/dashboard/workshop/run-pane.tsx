import type { CheckOutcome, RunDetail, RunSummary } from '../../../spec/generated/control-types.ts'
import { ExactText } from '../delivery/exact-text.tsx'
import { Findings } from '../parts/findings.tsx'
import { useApp } from '../parts/use-app.ts'
import { ReportView } from './report-view.tsx'
import { groupOutcomes, runText, standText, verdictText } from './run-report.ts'

interface RunPaneProps {
  /** Newest first. */
  readonly runs: readonly RunSummary[]
  /** The chosen run. */
  readonly run: RunDetail | undefined
}

export function RunPane({ runs, run }: RunPaneProps) {
  const { link } = useApp()
  return (
    <article class="details">
      <h2>Reports</h2>
      {runs.length === 0 && <NoRuns />}
      <ul class="runs">
        {runs.map((each) => (
          <li key={each.id}>
            <a
              href={link({ screen: 'workshop', path: ['runs', each.id] })}
              aria-current={each.id === run?.id ? 'true' : undefined}
            >
              {each.started_at.slice(0, 19).replace('T', ' ')}
            </a>{' '}
            {each.about} <b>{runText(each)}</b>
          </li>
        ))}
      </ul>
      {run && <Report {...run} />}
    </article>
  )
}

function NoRuns() {
  const { link } = useApp()
  return (
    <>
      <p>
        Checks put requirements to the receiver that is{' '}
        <a href={link({ screen: 'world', path: [] })}>registered</a>, and tell what it does wrong.
      </p>
      <Findings />
    </>
  )
}

function Report(run: RunDetail) {
  return (
    <>
      <p role="status">{run.status !== 'running' && <ExactText text={standText(run)} />}</p>
      {run.report && <ReportView report={run.report} />}
      {groupOutcomes(run.outcomes).map(([verdict, group]) => (
        <details key={verdict} open={run.report === null && verdict === 'failed'}>
          <summary class={verdict}>
            {group.length} {verdictText(verdict)}
          </summary>
          {group.map((outcome) => (
            <Outcome key={outcome.id} {...outcome} />
          ))}
        </details>
      ))}
    </>
  )
}

function Outcome({ id, actual }: CheckOutcome) {
  const { link } = useApp()
  return (
    <p class="beside">
      <a class="mono" href={link({ screen: 'workshop', path: ['checks', id] })}>
        {id}
      </a>
      {actual !== null && <ExactText text={actual} />}
    </p>
  )
}
