import type { PaymentKind } from '../../spec/payments.ts'
import { createCheckContext, type Shared } from './create-check-context.ts'
import { isAccepted, sendAll } from '../toolkit/expectations.ts'
import { expectedEffect } from '../toolkit/expected-effect.ts'
import { ProbeError } from '../toolkit/ports.ts'

/** A worker that polls has just looked when the first effect shows, so that the second comes as late as any. */
const PAYMENTS = 2

/**
 * Lets payments succeed, of the given kind if possible, one as soon as the one before has had its effect: how late effects come is known
 * before a check waits.
 */
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
    // Nothing is learned; whether the effects can be read later shows in each check.
    if (!(error instanceof ProbeError)) throw error
  } finally {
    await close()
  }
}
