import { useMemo } from 'preact/hooks'
import { createListing } from '../state/listing.ts'
import { useApp } from '../parts/use-app.ts'

/** The newest jobs. */
export function Timeline() {
  const app = useApp()
  const jobs = useMemo(
    () =>
      createListing(app, {
        load: async () => (await app.perform('listJobs', { query: { limit: 200 } })).jobs,
        types: ['job', 'attempt', 'job_called_off', 'world'],
        onError: app.notices.sayError,
      }),
    [app],
  )
  const rows = jobs.rows.value ?? []
  return (
    <>
      <h1 class="hidden">Timeline</h1>
      <table>
        <tbody>
          {rows.toReversed().map(({ id, object_type, object_id, state, status, last }) => (
            <tr key={id}>
              <td>{object_type}</td>
              <td class="mono">{object_id}</td>
              <td>{state}</td>
              <td>{status}</td>
              <td>{last}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
