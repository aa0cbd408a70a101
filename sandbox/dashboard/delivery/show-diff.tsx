import { diffJson } from '../../engine/core/json-diff.ts'
import { nullIfNotFound } from '../parts/presence.tsx'
import { Table } from '../parts/table.tsx'
import { useApp, useListing } from '../parts/use-app.ts'
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
    () => nullIfNotFound(perform('getCurrentBody', { path: { id: jobId } })),
    ['object', 'world'],
    jobId,
  )
  if (!current) return null
  const changes = current.body === null ? [] : diffJson(sent, current.body)
  return (
    <section aria-label="Compared with now">
      <h3>The sent body and the object {then}</h3>
      {changes === undefined || changes.length === 0 ? (
        <p class="dim">
          {current.body === null
            ? 'The object is gone: there is nothing to compare with'
            : changes
              ? 'The same: nothing of it has changed since'
              : 'The body is not JSON: there are no fields to compare'}
        </p>
      ) : (
        <Table class="changes" heads={['Field', 'Sent', then]}>
          {changes.map(({ path, before, after }) => (
            <tr key={path} class="mono">
              <th scope="row">
                <ExactText text={path === '' ? 'the whole' : path} />
              </th>
              <td>{before === undefined ? <span class="dim">nothing</span> : <del>{before}</del>}</td>
              <td>{after === undefined ? <span class="dim">nothing</span> : <ins>{after}</ins>}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}
