import { Argument, type Command } from 'commander'
import type {
  Payment,
  PaymentKindList,
  PaymentPage,
  PlayRequest,
} from '../../spec/generated/control-types.ts'
import { type PaymentKind, paymentForms, paymentKinds, paymentRows, paysItem } from '../../spec/payments.ts'
import { formatMoney } from '../../spec/money.ts'
import { commandLine } from '../engine/core/command-line.ts'
import { duration, toPrintable } from '../engine/core/short-text.ts'
import { argument, choice, controlCommand, controlSubcommand, option } from './control-command.ts'
import { UsageError } from './failure.ts'
import {
  atOption,
  formatPage,
  formatRows,
  formatTable,
  type PageFlags,
  pageOptions,
  pageQuery,
  type PastFlags,
  pastQuery,
} from './listing.ts'
import { withChoices, withoutUndefined } from './option-values.ts'
import { type DryPayment, formatDryPayment, listPaymentNotifications } from './payment-notifications.ts'
import type { SandboxFlags } from './sandbox-flags.ts'

interface PlayFlags extends SandboxFlags, PlayRequest {
  readonly kind: PaymentKind
  readonly dry?: boolean
}

interface PaymentFlags extends SandboxFlags {
  readonly id: string
}

const PACE = 'instant, stepwise (continue with "npx hookbench next ID"), or a duration between two steps'

const idArgument = () => argument('<id>', 'the id of the payment')

export function paymentCommands(): Command[] {
  return [playCommand(), nextCommand(), paymentsCommand(), paymentCommand()]
}

function nextCommand(): Command {
  return controlCommand({
    name: 'next',
    description: 'take the next step of a stepwise payment',
    examples: [
      ['next PAYMENT', 'take the next step'],
      ['next PAYMENT --json', 'print the payment after the step, for a script'],
    ],
    seeAlso: ['play', 'payment'],
    arguments: [idArgument()],
    call: (perform, { id: payment }: PaymentFlags) => perform('takePaymentStep', { path: { id: payment } }),
    text: formatPayment,
  })
}

function paymentsCommand(): Command {
  return controlCommand({
    name: 'payments',
    description: 'list payments, the newest last',
    about: [
      'The first line shows the command for the previous page. The last line shows the command for the next page.',
    ],
    examples: [
      ['payments', 'list the newest 20 payments'],
      ['payments --limit 100 --json', 'print the payments as JSON, for a script'],
    ],
    seeAlso: ['payment', 'play'],
    options: pageOptions(),
    call: (perform, flags: PageFlags) => perform('listPayments', { query: pageQuery(flags, {}) }),
    text: formatPayments,
    subcommands: [
      controlSubcommand({
        name: 'kinds',
        description: 'list the kinds of payments, with their outcomes and routes',
        examples: [
          ['payments kinds', 'list the kinds with their outcomes and routes'],
          ['payments kinds --json', 'also print the notifications of each kind'],
        ],
        seeAlso: ['play', 'next-outcome'],
        call: (perform) => perform('listPaymentKinds'),
        text: formatPaymentKinds,
      }),
    ],
  })
}

function paymentCommand(): Command {
  return controlCommand({
    name: 'payment',
    description: 'show a payment with its objects',
    examples: [
      ['payment PAYMENT', 'show the step of the payment, and the state of each object'],
      ['payment PAYMENT --at 2026-01-01T07:05:00.000Z', 'show the payment at a past time'],
    ],
    seeAlso: ['payments', 'next', 'timeline'],
    arguments: [idArgument()],
    options: [atOption()],
    call: (perform, flags: PaymentFlags & PastFlags) =>
      perform('getPayment', { path: { id: flags.id }, query: pastQuery(flags) }),
    text: formatPayment,
  })
}

function playCommand(): Command {
  return controlCommand({
    name: 'play',
    description: 'play a payment and create the objects that it needs, as the service does',
    summary: 'play a payment, and create the objects that it needs',
    about: [
      'The sandbox creates missing objects, such as an item, its buyer and seller, and their accounts.',
    ],
    lists: { Kinds: paymentKinds.map((kind) => [kind, paymentRows[kind].about]) },
    examples: [
      ['play card-payin', 'play all steps at once'],
      ['play direct-debit-payin --outcome failed_direct_debit --amount 2500', 'play a payment that fails'],
      ['play npp-payin --via crn --pace stepwise', 'play one step at a time: each "next" plays one step'],
      ['play card-payin --dry', 'list the notifications, with the numbers for "rehearse"'],
    ],
    seeAlso: ['next', 'payments', 'next-outcome', 'rehearse'],
    arguments: [withChoices(new Argument('<kind>', 'the kind of payment'), paymentKinds)],
    options: [
      option('--outcome <state>', 'the final state, such as failed_direct_debit'),
      choice('--via <form>', 'route of an NPP pay-in', paymentForms('npp-payin')),
      option('--amount <minor units>', 'amount in minor units, such as 1200 for 12.00', parseMinorUnits),
      option('--currency <code>', 'currency code, such as AUD'),
      option('--item <id>', 'the item to pay, for a kind that pays an item (default: a new item)'),
      option('--user <id>', 'the payee (default: a new user)'),
      option('--pace <pace>', PACE),
      option('--dry', 'only list the notifications, with the numbers for "rehearse"'),
    ],
    call: (perform, given: PlayFlags): Promise<Payment | DryPayment> => {
      refuseUnusedItem(given)
      refuseUnusedWithDry(given)
      if (given.dry === true) return Promise.resolve(listPaymentNotifications(given.kind, given.outcome))
      const { kind, outcome, via, amount, currency, item, user, pace } = given
      return perform('playPayment', {
        body: { kind, ...withoutUndefined({ outcome, via, amount, currency, item, user, pace }) },
      })
    },
    text: (reply, flags) =>
      'notifications' in reply ? formatDryPayment(reply) : formatPayment(reply, flags),
  })
}

function parseMinorUnits(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw new UsageError(
    `Cannot use amount "${text}": the value must be in minor units, such as 1200 for 12.00`,
  )
}

/** Throws UsageError if `--item` is given for a payment kind that pays no item and would ignore it. */
function refuseUnusedItem({ kind, item }: PlayFlags): void {
  if (item === undefined || paysItem(kind)) return
  const kinds = paymentKinds.filter((each) => paysItem(each)).join(', ')
  throw new UsageError(
    `Cannot play ${kind} with --item: this kind pays no item. Omit --item, or play ${kinds}`,
  )
}

/** Throws UsageError for options that `--dry` would ignore. With `--dry`, only the payment kind and outcome matter. */
function refuseUnusedWithDry({ kind, dry, via, amount, currency, item, user, pace }: PlayFlags): void {
  if (dry !== true) return
  const unused = Object.keys(withoutUndefined({ via, amount, currency, item, user, pace }))
  if (unused.length === 0) return
  const names = unused.map((name) => `--${name}`).join(', ')
  throw new UsageError(`Cannot play ${kind} with --dry and ${names}: --dry plays no payment. Omit ${names}`)
}

function formatPayment(payment: Payment, flags: SandboxFlags): string {
  const { id, kind, outcome, via, amount, currency, pace, step, steps, objects } = payment
  const paced = typeof pace === 'number' ? `a step every ${duration(pace)}` : pace
  const rows = objects.map(({ role, object_type, id: objectId, state }) => [
    '',
    role,
    object_type,
    objectId,
    state ?? '',
  ])
  const head = `Payment ${id}: ${kind} of ${formatMoney(amount, currency)}${via === undefined ? '' : ` via ${via}`} to ${outcome}, ${paced}`
  return [
    toPrintable(head),
    toPrintable(`  step ${step} of ${steps}${continuation(payment, flags)}`),
    formatRows(rows),
  ].join('\n')
}

function continuation({ id, step, steps, next_due_at }: Payment, flags: SandboxFlags): string {
  if (step === steps) return ''
  return next_due_at === null
    ? `. Continue with "${commandLine(`next ${id}`, flags)}"`
    : `, next step at ${next_due_at}`
}

const HEADINGS = ['PAYMENT', 'KIND', 'OUTCOME', 'AMOUNT', 'STEP', 'NEXT']

export function formatPayments({ payments, older, next_cursor }: PaymentPage, flags: PageFlags): string {
  const rows = payments.map((payment) => [
    payment.id,
    payment.kind,
    payment.outcome,
    formatMoney(payment.amount, payment.currency),
    `${payment.step} of ${payment.steps}`,
    payment.step === payment.steps ? 'done' : (payment.next_due_at ?? 'when asked'),
  ])
  const none = `No payments. Play one with "${commandLine('play card-payin', flags)}"`
  const page = { rows, none, older, next_cursor, first: older }
  return formatPage(HEADINGS, page, { command: 'payments', flags })
}

function formatPaymentKinds({ kinds }: PaymentKindList): string {
  const rows = kinds.map(({ kind, endings, forms, about }) => [
    kind,
    endings.map(({ outcome }) => outcome).join(', '),
    forms.join(', '),
    about,
  ])
  return formatTable(['KIND', 'ENDS', 'VIA', 'WHAT IT IS'], rows)
}
