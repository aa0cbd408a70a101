import type {
  AttemptTimings,
  AttemptRequest,
  CraftedDelivery,
  ExchangeDetail,
} from '../../../spec/generated/control-types.ts'
import { formatMilliseconds } from '../parts/names.ts'
import { findPhases } from './phases.ts'
import { exact, JsonView } from '../parts/exact-text.tsx'

interface AnswerProps extends Pick<ExchangeDetail, 'status' | 'message' | 'remedy' | 'notes' | 'response'> {
  readonly timings: AttemptTimings
  /** The name of the exchange in labels, such as `attempt 1`. */
  readonly to: string
}

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
      <Timings timings={timings} />
      {response && response.body !== '' && (
        <JsonView text={response.body} label={`Body of the answer to ${to}`} />
      )}
      {response && <HeaderTable title="Answer headers" headers={response.headers} />}
    </>
  )
}

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

function Timings({ timings }: Pick<AnswerProps, 'timings'>) {
  const phases = findPhases(timings)
  const last = phases.at(-1)
  if (!last) return null
  const texts = phases.map(({ name, fromMs, toMs }) => `${name} ${formatMilliseconds(toMs - fromMs)}`)
  return <p class="dim">{[...texts, `total ${formatMilliseconds(last.toMs)}`].join(', ')}</p>
}
