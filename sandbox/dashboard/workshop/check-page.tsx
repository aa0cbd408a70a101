import { RefusedError } from '../../client/requests.ts'
import type { Perform } from '../../compose/perform.ts'
import { Pane } from '../parts/pane.tsx'
import { useApp } from '../parts/use-app.ts'
import { useListing } from '../parts/use-listing.ts'
import { useStepKeys } from './card.tsx'
import { CheckPane } from './check-pane.tsx'
import { CheckRows } from './check-rows.tsx'
import { RunPane } from './run-pane.tsx'
import type { SectionProps } from './section.ts'

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
