import { describePayment, paymentKinds, paymentOutcomes } from '../../../spec/payments.ts'
import type { Manuals } from './manual.ts'

export const PAYMENT_MANUALS: Manuals = {
  play: {
    about: ['What it needs and is not given is made: an item, its buyer and seller, their accounts.'],
    sections: [
      { heading: 'Kinds', rows: paymentKinds.map((kind) => [kind, describePayment(kind).about] as const) },
    ],
    examples: [
      ['play card-payin', 'all its steps at once'],
      ['play direct-debit-payin --outcome failed_direct_debit --amount 2500', 'one that fails'],
      ['play npp-payin --via crn --pace stepwise', 'step by step, each by "next"'],
      ['play card-payin --dry', 'what it would notify, with the numbers that "rehearse" takes'],
    ],
    seeAlso: ['next', 'payments', 'next-outcome', 'rehearse'],
  },
  next: {
    examples: [
      ['next PAYMENT', 'take its next step'],
      ['next PAYMENT --json', 'the payment after it, for a script'],
    ],
    seeAlso: ['play', 'payment'],
  },
  payments: {
    about: ['The first line leads to the page before, the last to the page after.'],
    examples: [
      ['payments', 'the newest 20'],
      ['payments --limit 100 --json', 'for a script'],
      ['payments kinds', 'what can be played'],
    ],
    seeAlso: ['payment', 'play'],
  },
  'payments kinds': {
    examples: [
      ['payments kinds', 'with their endings and forms'],
      ['payments kinds --json', 'with all that each notifies'],
    ],
    seeAlso: ['play', 'next-outcome'],
  },
  payment: {
    examples: [
      ['payment PAYMENT', 'its step, and each object with its state'],
      ['payment PAYMENT --at 2026-01-01T07:05:00.000Z', 'as it was then'],
    ],
    seeAlso: ['payments', 'next', 'timeline'],
  },
  'next-outcome': {
    about: [
      'It holds for the next payment of the kind that is given no outcome of its own: one that your platform makes, such as by PATCH /items/ID/make_payment, or one that is played without --outcome.',
    ],
    sections: [
      {
        heading: 'Outcomes, the usual one first',
        rows: paymentKinds.map((kind) => [kind, paymentOutcomes(kind).join(', ')] as const),
      },
    ],
    examples: [
      ['next-outcome direct-debit-payin failed_direct_debit', 'the next one fails'],
      ['next-outcome', 'what is chosen and not used yet'],
      ['next-outcome direct-debit-payin --clear', 'it ends as usual; without a kind, every kind does'],
    ],
    seeAlso: ['play', 'faults'],
  },
}
