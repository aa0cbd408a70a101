import type { AttemptTimings, ExchangeDetail } from '../../../spec/generated/control-types.ts'
import { ExactText, JsonView } from './exact-text.tsx'
import { findPhases, formatMilliseconds } from './phases.ts'

interface AnswerProps extends Pick<ExchangeDetail, 'status' | 'message' | 'remedy' | 'notes' | 'response'> {
  readonly timings: AttemptTimings
  /** The exchange, such as `attempt 1`. */
  readonly to: string
}

/** Shows the failure with its remedy, the timings, and the response. */
export function Answer({ status, message, remedy, notes, timings, response, to }: AnswerProps) {
  return (
    <>
      {(status === null || remedy !== undefined) && (
        <div class="reason">
          <p>
            <ExactText text={message} />
          </p>
          {remedy !== undefined && <p>What to do: {remedy}</p>}
        </div>
      )}
      {notes && <p class="due">Note: {notes.join('; ')}</p>}
      <PhaseBar timings={timings} />
      {response && response.body !== '' && <JsonView text={response.body} label={`Body answered to ${to}`} />}
      {response && <HeaderTable title="Answer headers" headers={response.headers} />}
    </>
  )
}

interface HeaderTableProps {
  readonly headers: readonly (readonly string[])[]
  readonly title: string
}

/** A closed table of headers. */
export function HeaderTable({ headers, title }: HeaderTableProps) {
  if (headers.length === 0) return null
  return (
    <details>
      <summary>
        {title} <span class="dim">{headers.length}</span>
      </summary>
      <dl class="headers mono">
        {headers.map(([name = '', value = ''], index) => (
          <div key={index}>
            <dt>
              <ExactText text={name} />
            </dt>
            <dd>
              <ExactText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

const PHASE_CLASSES: Readonly<Record<string, string>> = {
  DNS: 'dim',
  TLS: 'due',
  'first byte': 'wait',
  'rest of the answer': 'good',
}

/** The phases of an exchange in real time. */
function PhaseBar({ timings }: { readonly timings: AttemptTimings }) {
  const phases = findPhases(timings)
  const end = phases.at(-1)?.toMs ?? 0
  if (phases.length === 0) return null
  const share = (ms: number) => (end === 0 ? 0 : (ms / end) * 100)
  return (
    <div class="phases">
      <svg width="100%" height="8" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        {phases.map(({ name, fromMs, toMs }) => (
          <rect
            key={name}
            class={PHASE_CLASSES[name] ?? 'phase'}
            x={share(fromMs)}
            width={share(toMs - fromMs)}
            height="8"
          />
        ))}
      </svg>
      <ul>
        {phases.map(({ name, fromMs, toMs }) => (
          <li key={name}>
            <span class={`key ${PHASE_CLASSES[name] ?? 'phase'}`} /> {name}{' '}
            <b>{formatMilliseconds(toMs - fromMs)}</b>
          </li>
        ))}
        <li class="dim">{formatMilliseconds(end)} in all</li>
      </ul>
    </div>
  )
}
