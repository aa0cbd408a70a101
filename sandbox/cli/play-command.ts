import { Command } from 'commander'
import type { Payment } from '../../spec/generated/control-types.ts'
import { isPaymentKind, paymentKinds, paysItem } from '../../spec/payments.ts'
import { printable } from '../engine/core/printable.ts'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { UsageError } from './failure.ts'
import { duration, table } from './terminal.ts'

interface PlayFlags extends BenchFlags {
  readonly outcome?: string
  readonly amount?: string
  readonly currency?: string
  readonly item?: string
  readonly user?: string
  readonly pace?: string
}

export function playCommand(): Command {
  const command = new Command('play')
    .description('play a payment with everything that it needs, as the service does it')
    .argument('<kind>', `one of ${paymentKinds.join(', ')}`)
    .option('--outcome <state>', 'the final state, such as failed_direct_debit')
    .option('--amount <minor units>', 'such as 1200 for 12.00')
    .option('--currency <code>', 'such as AUD')
    .option('--item <id>', 'the item to pay, for a kind that pays one; one is made if left out')
    .option('--user <id>', 'who is paid, or paid out; one is made if left out')
    .option(
      '--pace <pace>',
      'instant, stepwise (go on with "npx hookbench next ID"), or a duration between two steps',
    )
  return withBenchOptions(command).action(async (kind: string, flags: PlayFlags) => {
    refuseItem(kind, flags)
    const perform = connect(flags)
    const { data: _, json: __, amount, ...rest } = flags
    const payment = await perform('playPayment', {
      body: {
        kind,
        ...rest,
        ...(amount === undefined ? {} : { amount: minorUnits(amount) }),
      },
    })
    print(payment, shown(payment), flags)
  })
}

export function nextCommand(): Command {
  const command = new Command('next')
    .description('take the next step of a stepwise payment')
    .argument('<id>', "the payment's id")
  return withBenchOptions(command).action(async (id: string, flags: BenchFlags) => {
    const payment = await connect(flags)('takePaymentStep', { path: { id } })
    print(payment, shown(payment), flags)
  })
}

function minorUnits(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw new UsageError(`Cannot use amount "${text}": it takes minor units, such as 1200 for 12.00`)
}

/** Nothing that is given is left aside in silence. */
function refuseItem(kind: string, { item }: PlayFlags): void {
  if (item === undefined || !isPaymentKind(kind) || paysItem(kind)) return
  const kinds = paymentKinds.filter((each) => paysItem(each)).join(', ')
  throw new UsageError(`Cannot play ${kind} with --item: it pays no item; leave it out, or play ${kinds}`)
}

/** A payment with its objects, and how it goes on. */
export function shown(payment: Payment): string {
  const { id, kind, outcome, amount, currency, pace, step, steps, next_due_at, objects } = payment
  const paced = typeof pace === 'number' ? `a step every ${duration(pace)}` : pace
  const rest =
    step === steps
      ? ''
      : next_due_at === null
        ? `; go on with "npx hookbench next ${id}"`
        : `; next at ${next_due_at}`
  const rows = objects.map(({ role, object_type, id: objectId, state }) => [
    '',
    role,
    object_type,
    objectId,
    state ?? '',
  ])
  const head = `Payment ${id}: ${kind} of ${amount} ${currency} to ${outcome}, ${paced}`
  return [printable(head), printable(`  step ${step} of ${steps}${rest}`), table(rows)].join('\n')
}
