import type { Attempt } from '../../../spec/generated/control-types.ts'
import { useApp } from '../parts/use-app.ts'
import { BodyView } from './body-view.tsx'
import { ExactText } from './exact-text.tsx'
import { Answer } from './exchange-part.tsx'
import { HeaderTable } from './header-table.tsx'

interface AttemptPartProps {
  readonly attempt: Attempt
  /** The one after it, which is shown above it. */
  readonly later: Attempt | undefined
}

/** One attempt: what was sent, and what came back. */
export function AttemptPart({ attempt, later }: AttemptPartProps) {
  const { number, status, reason, started_at, request, manual, faults, others, url } = attempt
  const { link, route } = useApp()
  const then = link({ ...route.value, at: Date.parse(attempt.ended_at) })
  const notes = [...(manual ? ['by hand'] : []), ...faults.map(({ kind }) => `fault ${kind}`)]
  const isSame = later?.request.body === request.body
  return (
    <section>
      <h3 class={reason === null ? 'good' : 'bad'}>
        Attempt {number} ← {status ?? reason}
      </h3>
      <p class="dim">
        <a href={then} title="Look at the world as it was then">
          {started_at.replace('T', ' ').replace('Z', '')}
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
            Beside it: <b>{other.status ?? other.reason}</b>
          </p>
          <Answer {...other} to={`attempt ${number}, beside it (${index + 1})`} />
        </div>
      ))}
      <HeaderTable title="Request headers" headers={request.headers} />
      {isSame ? (
        <p class="dim">Sent the same bytes as attempt {later.number}</p>
      ) : (
        <BodyView
          text={request.body}
          label={`Body sent by attempt ${number}`}
          prettyLabel={`What attempt ${number} sent, laid out`}
        />
      )}
    </section>
  )
}
