import type {
  CheckOutcome,
  CheckReport,
  ReportedCheck,
  ReportedFailure,
  RunDetail,
  RunList,
} from '../../../spec/generated/control-types.ts'
import { exact } from '../parts/exact-text.tsx'
import { CommandLine } from '../parts/act-button.tsx'
import { Findings } from '../parts/findings.tsx'
import { Facts } from '../parts/table.tsx'
import { useApp } from '../parts/use-app.ts'
import { groupOutcomes, runText, formatRunState, verdictText } from './run-report.ts'
import { EventTrace } from './trace.tsx'

export function RunPane({ runs, run }: RunList & { readonly run: RunDetail | undefined }) {
  const { link } = useApp()
  return (
    <article class="details">
      <h2>Reports</h2>
      {runs.length === 0 && (
        <>
          <p>
            Checks test the <a href={link({ screen: 'world', path: [] })}>registered</a> receiver, and report
            its defects.
          </p>
          <Findings />
        </>
      )}
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

function Report(run: RunDetail) {
  return (
    <>
      <p role="status">{run.status !== 'running' && exact(formatRunState(run))}</p>
      {run.report && <Failures {...run.report} />}
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
  return (
    <p class="beside">
      <CheckLink id={id} />
      {actual !== null && exact(actual)}
    </p>
  )
}

/** The failures of a run by cause, in the same order as in the output of `check`. */
function Failures({ failures = [], checks = [] }: CheckReport) {
  const checkById = new Map(checks.map((check) => [check.id, check]))
  return (
    <ol class="failures" aria-label="Failures by cause">
      {failures.map((failure) => {
        const check = checkById.get(failure.check)
        return check && <Failure key={failure.check} {...failure} lead={check} />
      })}
    </ol>
  )
}

function Failure({ title, others, unjudged, lead }: ReportedFailure & { readonly lead: ReportedCheck }) {
  const { id, severity, expected, actual, requirement, remedy, exchanges, repeat } = lead
  return (
    <li class="failure">
      <h3 class="bad">{exact(title)}</h3>
      <p>
        <CheckLink id={id} /> <span class="dim">{severity}</span>
      </p>
      <Facts
        facts={[
          ['Required', requirement],
          ['Expected', expected],
          ['Actual', actual !== title && actual],
          ['Fix', remedy],
        ]}
      />
      {exchanges.length > 0 && (
        <details>
          <summary>Timeline, requests and answers</summary>
          <EventTrace events={exchanges} />
        </details>
      )}
      {repeat && <CommandLine line={repeat} />}
      <SameCause name="Failed for the same cause" ids={others} />
      <SameCause name="Not judged because of this failure" ids={unjudged} />
    </li>
  )
}

function CheckLink({ id }: { readonly id: string }) {
  const { link } = useApp()
  return (
    <a class="mono" href={link({ screen: 'workshop', path: ['checks', id] })}>
      {id}
    </a>
  )
}

function SameCause({ name, ids }: { readonly name: string; readonly ids: readonly string[] }) {
  if (ids.length === 0) return null
  return (
    <details>
      <summary>
        {name} <span class="dim">{ids.length}</span>
      </summary>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <CheckLink id={id} />
          </li>
        ))}
      </ul>
    </details>
  )
}
