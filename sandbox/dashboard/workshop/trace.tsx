import type { ReportedEvent } from '../../../spec/generated/control-types.ts'
import { exact, JsonView } from '../parts/exact-text.tsx'

const ARROWS = { world: '·', sent: '→', called: '←', effects: '●' } as const

export function EventTrace({ events }: { readonly events: readonly ReportedEvent[] }) {
  return (
    <ol class="trace">
      {events
        .toSorted((a, b) => a.at_ms - b.at_ms)
        .map((event, index) => (
          <TraceEvent key={index} {...event} />
        ))}
    </ol>
  )
}

function TraceEvent(event: ReportedEvent) {
  const { kind, at_ms, request, response, reason } = event
  const text = describeEvent(event)
  const status = (kind === 'called' ? request?.status : event.status) ?? reason ?? ''
  const isBad = kind === 'sent' && !(Number(status) < 300)
  const bodies = [
    ['Request', request?.body ?? ''],
    ['Answer', response?.body ?? ''],
  ].filter(([, body]) => body !== '')
  return (
    <li class={kind}>
      <span class="mono dim">{Math.round(at_ms)} ms</span>
      <span aria-hidden="true">{ARROWS[kind]}</span>
      <div>
        {exact(text)} <b class={isBad ? 'bad' : ''}>{status}</b>
        {bodies.length > 0 && (
          <details>
            <summary>Request and answer</summary>
            {bodies.map(([name, body = '']) => (
              <JsonView key={name} text={body} label={`${name}: ${text}`} />
            ))}
          </details>
        )}
      </div>
    </li>
  )
}

function describeEvent({ kind, text, label, request, object_type, id, effects }: ReportedEvent): string {
  if (text !== undefined) return text
  if (kind === 'called') return `${request?.method} ${request?.path}`
  return kind === 'effects' ? `${object_type} ${id}: effects ${effects}` : (label ?? '')
}
