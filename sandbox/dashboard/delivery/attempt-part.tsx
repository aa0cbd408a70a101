import type { Attempt } from '../../../spec/generated/control-types.ts'
import { instantText } from '../parts/names.ts'
import { useApp } from '../parts/use-app.ts'
import { ExactText } from './exact-text.tsx'
import { Answer, HeaderTable } from './exchange-part.tsx'
import { RawBytes } from './json-view.tsx'

interface AttemptPartProps {
  readonly attempt: Attempt
  /** The next attempt, which is shown above. */
  readonly later: Attempt | undefined
}

export function AttemptPart({ attempt, later }: AttemptPartProps) {
  const { number, status, reason, started_at, request, manual, faults, others, url } = attempt
  const { link, route } = useApp()
  const then = link({ ...route.value, at: Date.parse(attempt.ended_at) })
  const notes = [...(manual ? ['by hand'] : []), ...faults.map(({ kind }) => `fault ${kind}`)]
  return (
    <section>
      <h3 class={reason === null ? 'good' : 'bad'}>
        Attempt {number} ← {status ?? reason}
      </h3>
      <p class="dim">
        <a href={then} title="Look at the world as it was then">
          {instantText(started_at)}
        </a>
        {notes.length > 0 && `, ${notes.join(', ')}`}
        {later && later.url !== url && (
          <>
            , to <ExactText text={url} />
          </>
        )}
      </p>
      <Answer {...attempt} to={`attempt ${number}`} />
      {others.map((other, index) => (
        <div key={index} class="beside">
          <p>
            Sent at the same time: <b>{other.status ?? other.reason}</b>
          </p>
          <Answer {...other} to={`attempt ${number}, sent at the same time (${index + 1})`} />
        </div>
      ))}
      <HeaderTable title="Request headers" headers={request.headers} />
      {later?.request.body === request.body ? (
        <p class="dim">Sent the same bytes as attempt {later.number}</p>
      ) : (
        <RawBytes text={request.body} label={`Raw bytes of attempt ${number}`} />
      )}
    </section>
  )
}
