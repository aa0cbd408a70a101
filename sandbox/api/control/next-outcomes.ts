import type { NextOutcome } from '../../../spec/generated/control-types.ts'
import type { PaymentKind } from '../../../spec/payments.ts'
import { parseKind, parseOutcome, usualOutcome } from '../../engine/payments/payment-terms.ts'
import { reply } from '../operations/operation.ts'
import { lookBack } from './look-back.ts'
import type { ControlOperation } from './operation.ts'

export const listNextOutcomes: ControlOperation<'listNextOutcomes'> = lookBack((_, { view }) =>
  reply(200, { next_outcomes: toNextOutcomes(view.nextOutcomes()) }),
)

/** In place of what was chosen for the kind before. */
export const setNextOutcome: ControlOperation<'setNextOutcome'> = ({ path, body }) => {
  const kind = parseKind(path.kind, 'decide the next')
  const outcome = parseOutcome(kind, body.outcome)
  return reply(200, { kind, outcome }, [{ kind: 'next-outcome', payment_kind: kind, outcome }])
}

export const clearNextOutcome: ControlOperation<'clearNextOutcome'> = ({ path }, { view }) => {
  const kind = parseKind(path.kind, 'clear the next')
  const outcome = view.nextOutcome(kind)
  return outcome === undefined
    ? reply(200, { next_outcomes: [] })
    : reply(200, { next_outcomes: [{ kind, outcome }] }, [usualOutcome(kind)])
}

export const clearNextOutcomes: ControlOperation<'clearNextOutcomes'> = (_, { view }) => {
  const chosen = view.nextOutcomes()
  return reply(200, { next_outcomes: toNextOutcomes(chosen) }, [...chosen.keys()].map(usualOutcome))
}

function toNextOutcomes(chosen: ReadonlyMap<PaymentKind, string>): NextOutcome[] {
  return [...chosen].map(([kind, outcome]) => ({ kind, outcome }))
}
