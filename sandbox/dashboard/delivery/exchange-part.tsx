import type { AttemptTimings, ExchangeDetail } from '../../../spec/generated/control-types.ts'
import { BodyView } from './body-view.tsx'
import { ExactText } from './exact-text.tsx'
import { HeaderTable } from './header-table.tsx'
import { PhaseBar } from './phase-bar.tsx'

interface AnswerProps extends Pick<ExchangeDetail, 'status' | 'message' | 'remedy' | 'notes' | 'response'> {
  readonly timings: AttemptTimings
  /** What it answers, such as `attempt 1`. */
  readonly to: string
}

/** What came back: why it is a failure and what to do about it, how long it took, and what it says. */
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
      {response && <HeaderTable title="Answer headers" headers={response.headers} />}
      {response && response.body !== '' && (
        <BodyView
          text={response.body}
          label={`Body answered to ${to}`}
          prettyLabel={`Answer to ${to}, laid out`}
        />
      )}
    </>
  )
}
