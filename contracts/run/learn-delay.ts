import type { PaymentKind } from '../../spec/payments.ts'
import { createCheckContext, type Shared } from './create-check-context.ts'
import { isAccepted, sendAll } from '../toolkit/expectations.ts'
import { expectedEffect } from '../toolkit/expected-effect.ts'
import { ProbeError } from '../toolkit/ports.ts'

/** The second effect shows the full delay. A worker that polls may see the first one at once. */
const PAYMENTS = 2

/** Measures the delay of effects with successful payments, of the given kind if possible. */
export async function learnDelay(shared: Shared, kind?: PaymentKind): Promise<void> {
  const { context, awaitEffect, close } = createCheckContext('effect delay', shared)
  try {
    for (let count = 0; count < PAYMENTS; count++) {
      const payment = await expectedEffect(context, { kind })
      if (!payment) return
      const sent = await sendAll(context, [...payment.before, payment.message])
      if (!sent.every(isAccepted)) return
      const { effects } = await awaitEffect(payment.target)
      if (effects === 0) return
    }
  } catch (error) {
    // Each check reports this error itself.
    if (!(error instanceof ProbeError)) throw error
  } finally {
    await close()
  }
}
