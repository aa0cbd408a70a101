import type {
  AttemptTimings,
  AttemptRequest,
  CraftedDelivery,
  ExchangeDetail,
} from '../../../spec/generated/control-types.ts'
import { formatMilliseconds } from '../parts/names.ts'
import { exact, JsonView } from '../parts/exact-text.tsx'
import { findPhases } from './phases.ts'

interface AnswerProps extends Pick<ExchangeDetail, 'status' | 'message' | 'remedy' | 'notes' | 'response'> {
  readonly timings: AttemptTimings
  /** The name of the exchange, such as `attempt 1`. */
  readonly to: string
}

/** Shows the failure with its fix, the timings and the response. */
export function Answer({ status, message, remedy, notes, timings, response, to }: AnswerProps) {
  return (
    <>
      {(status === null || remedy !== undefined) && (
        <div class="reason">
          <p>{exact(message)}</p>
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

/** Shows the exchanges of a manual delivery. */
export function CraftedExchanges({ exchanges }: CraftedDelivery) {
  return (
    <>
      {exchanges.map((exchange, index) => (
        <section key={index}>
          <h3>
            Delivery {index + 1} ← {exchange.status ?? exchange.reason}
          </h3>
          <Answer {...exchange} to={`delivery ${index + 1}`} />
        </section>
      ))}
    </>
  )
}

/** A closed table of headers. */
export function HeaderTable({
  headers,
  title,
}: Pick<AttemptRequest, 'headers'> & { readonly title: string }) {
  if (headers.length === 0) return null
  return (
    <details>
      <summary>
        {title} <span class="dim">{headers.length}</span>
      </summary>
      <dl class="headers mono">
        {headers.map(([name, value], index) => (
          <div key={index}>
            <dt>{exact(name)}</dt>
            <dd>{exact(value)}</dd>
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
  const last = phases.at(-1)
  if (!last) return null
  return (
    <div class="phases">
      <div class="bar" aria-hidden="true">
        {phases.map(({ name, fromMs, toMs }) => (
          <span key={name} class={PHASE_CLASSES[name] ?? 'phase'} style={{ flexGrow: `${toMs - fromMs}` }} />
        ))}
      </div>
      <ul>
        {phases.map(({ name, fromMs, toMs }) => (
          <li key={name}>
            <span class={`key ${PHASE_CLASSES[name] ?? 'phase'}`} /> {name}{' '}
            <b>{formatMilliseconds(toMs - fromMs)}</b>
          </li>
        ))}
        <li class="dim">{formatMilliseconds(last.toMs)} in all</li>
      </ul>
    </div>
  )
}
