import { toPrintable } from '../../engine/core/short-text.ts'
import { formatMilliseconds } from '../delivery/phases.ts'
import { timeText } from '../parts/names.ts'
import { useApp } from '../parts/use-app.ts'
import type { StoryEvent } from './story.ts'

const LOOKS = { delivered: 'good', failed: 'bad', due: 'due', call: 'good', 'failed-call': 'bad' } as const

/** A payment as messages between the service and the receiver. */
export function SequenceDiagram({ story }: { readonly story: readonly StoryEvent[] }) {
  return (
    <div class="sequence-diagram">
      <p class="ends" aria-hidden="true">
        <b>Service</b>
        <b>Your receiver</b>
      </p>
      <ol aria-label="Messages">
        {story.map((event) => (
          <Message key={event.id} {...event} />
        ))}
      </ol>
    </div>
  )
}

function Message({ kind, title, result, at, tookMs, jobId }: StoryEvent) {
  const { link } = useApp()
  const isCall = jobId === undefined
  const text = toPrintable(title)
  return (
    <li class={isCall ? 'back' : kind}>
      <span class="mono dim">{timeText(at)}</span>
      <span class="arrow">
        <span class="hidden">{isCall ? 'The receiver calls' : 'The service sends'} </span>
        {isCall ? text : <a href={link({ screen: 'activity', path: [jobId] })}>{text}</a>}
      </span>
      <span class={LOOKS[kind]}>
        {toPrintable(result)}
        {tookMs !== null && <span class="dim"> {formatMilliseconds(tookMs)}</span>}
      </span>
    </li>
  )
}
