import { Command } from 'commander'
import type { Payment } from '../../spec/generated/control-types.ts'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { tableOf } from './listing.ts'
import { shown } from './play-command.ts'

export function paymentsCommand(): Command {
  const command = new Command('payments').description('list payments, the newest last')
  return withBenchOptions(command).action(async (flags: BenchFlags) => {
    const list = await connect(flags)('listPayments')
    print(list, listed(list.payments), flags)
  })
}

export function paymentCommand(): Command {
  const command = new Command('payment')
    .description('show a payment with its objects')
    .argument('<id>', "the payment's id")
  return withBenchOptions(command).action(async (id: string, flags: BenchFlags) => {
    const payment = await connect(flags)('getPayment', { path: { id } })
    print(payment, shown(payment), flags)
  })
}

const HEADINGS = ['PAYMENT', 'KIND', 'OUTCOME', 'AMOUNT', 'STEP', 'NEXT']

/** Payments in a table. */
export function listed(payments: readonly Payment[]): string {
  if (payments.length === 0) return 'No payments; play one with "npx hookbench play card-payin"'
  return tableOf(
    HEADINGS,
    payments.map((payment) => [
      payment.id,
      payment.kind,
      payment.outcome,
      `${payment.amount} ${payment.currency}`,
      `${payment.step} of ${payment.steps}`,
      next(payment),
    ]),
  )
}

function next({ step, steps, next_due_at }: Payment): string {
  if (step === steps) return 'done'
  return next_due_at ?? 'when asked'
}
