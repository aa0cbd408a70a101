import { diffJson } from '../../engine/core/json-diff.ts'
import { ifThere } from '../parts/if-there.tsx'
import { useApp } from '../parts/use-app.ts'
import { useListing } from '../parts/use-listing.ts'
import { ExactText } from './exact-text.tsx'

interface ShowDiffProps {
  readonly jobId: string
  /** The body of the last attempt. */
  readonly sent: string
}

/** Compares the sent body with a Show of the object now. */
export function ShowDiff({ jobId, sent }: ShowDiffProps) {
  const { perform, rewind } = useApp()
  const then = rewind.at.value === undefined ? 'now' : 'then'
  const current = useListing(
    () => ifThere(perform('getCurrentBody', { path: { id: jobId } })),
    ['object', 'world'],
    jobId,
  )
  if (!current) return null
  return (
    <section aria-label="Compared with now">
      <h3>What was sent, and what the object says {then}</h3>
      {current.body === null ? (
        <p class="dim">The object is gone: there is nothing to compare with</p>
      ) : (
        <Changes sent={sent} now={current.body} then={then} />
      )}
    </section>
  )
}

interface ChangesProps {
  readonly sent: string
  readonly now: string
  readonly then: string
}

function Changes({ sent, now, then }: ChangesProps) {
  const changes = diffJson(sent, now)
  if (!changes) return <p class="dim">What was sent is not JSON: there are no fields to compare</p>
  if (changes.length === 0) return <p class="dim">The same: nothing of it has changed since</p>
  return (
    <table class="changes">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Sent</th>
          <th scope="col">{then}</th>
        </tr>
      </thead>
      <tbody class="mono">
        {changes.map(({ path, before, after }) => (
          <tr key={path}>
            <th scope="row">
              <ExactText text={path === '' ? 'the whole' : path} />
            </th>
            <td>{before === undefined ? <span class="dim">nothing</span> : <del>{before}</del>}</td>
            <td>{after === undefined ? <span class="dim">nothing</span> : <ins>{after}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
