import type { PaymentKind } from '../../../spec/payments.ts'
import { parseKind, parseOutcome, usualOutcome } from '../../engine/payments/payment-terms.ts'
import { reply } from '../operations/operation.ts'
import { lookBack } from './look-back.ts'
import type { ControlOperation } from './operation.ts'

export const listNextOutcomes: ControlOperation<'listNextOutcomes'> = lookBack((_, { view }) =>
  reply(200, { next_outcomes: toNextOutcomes(view.nextOutcomes()) }),
)

/** In place of what was chosen for the kind before. */
export const setNextOutcome: ControlOperation<'setNextOutcome'> = ({ body }) => {
  const kind = parseKind(body.kind, 'decide the next')
  const outcome = parseOutcome(kind, body.outcome)
  return reply(200, { kind, outcome }, [{ kind: 'next-outcome', payment_kind: kind, outcome }])
}

export const clearNextOutcomes: ControlOperation<'clearNextOutcomes'> = ({ query }, { view }) => {
  const only = query.kind === undefined ? undefined : parseKind(query.kind, 'clear the next')
  const chosen = toNextOutcomes(view.nextOutcomes()).filter(({ kind }) => only === undefined || kind === only)
  return reply(
    200,
    { next_outcomes: chosen },
    chosen.map(({ kind }) => usualOutcome(kind)),
  )
}

function toNextOutcomes(chosen: ReadonlyMap<PaymentKind, string>) {
  return [...chosen].map(([kind, outcome]) => ({ kind, outcome }))
}
