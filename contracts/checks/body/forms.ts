import type { Example } from '../../../spec/generated/examples.ts'
import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import {
  examplesNamed,
  goldenMessage,
  NULLS,
  oneExamplePerType,
  fullestExample,
} from '../../toolkit/golden-message.ts'
import { notObservable, withUnobserved, type Finding } from '../../finding.ts'
import {
  acceptedLikeControl,
  actedOnLikeControl,
  compareExamples,
  oneEffectLikeControl,
  oneEffectOfEach,
  type Comparison,
} from '../../toolkit/control-comparison.ts'
import { isActedOn } from '../../toolkit/consequences.ts'
import { expectAccepted, sendAll } from '../../toolkit/expectations.ts'
import { craftMessage, toJsonObject, type JsonObject } from '../../toolkit/messages.ts'
import {
  describeMissingUrls,
  noUrlFor,
  unobservedEffects,
  unobservedEffectsOn,
} from '../../toolkit/unobserved.ts'

export const formChecks: readonly ReceiverCheck[] = [
  {
    id: 'body/nulls',
    severity: 'must',
    requirement: 'The receiver accepts a body in which every optional value is null.',
    lines: [54],
    readings: ['delivery-success'],
    uses: ['effects'],
    meaning:
      'For example, a payee has no name, or an item has no due date. The notification is rejected and then lost, together with its payment.',
    remedy:
      'Treat every optional field as "a value or null", both when you read it and in the column that stores it.',
    async run(context) {
      const types = notifiedTypes.filter((type) => NULLS.some((example) => example.type === type))
      const examples = NULLS.filter(({ type }) => context.receiver.types().includes(type))
      if (examples.length === 0) return noUrlFor(types)
      const comparisons = await compareExamples(context, examples, { usual: fullestExample })
      const finding = await actedOnLikeControl(context, comparisons)
      return withUnobserved(finding, describeMissingUrls(context, types), unobservedEffects(context))
    },
  },
  {
    id: 'body/payin-details',
    severity: 'must',
    requirement: 'The receiver accepts transactions whose payin_details is an object, null or absent.',
    lines: [80],
    readings: ['delivery-success', 'pay-id-types'],
    uses: ['effects'],
    meaning:
      "Only payments to a PayID or CRN have payin_details. A receiver that requires payin_details loses payments to an account number. The customers' money arrives, but the platform never credits it.",
    remedy: 'Check that payin_details is present and not null before you read its fields.',
    run: (context) =>
      checkForms(context, 'transactions', [
        'transactions-deposit-npp-payin-by-pay-id',
        'transactions-deposit-npp-payin-by-pay-id-organisation',
        'transactions-deposit-npp-payin-by-crn',
        'transactions-deposit-npp-payin-by-virtual-account',
        'transactions-deposit-direct-credit',
      ]),
  },
  {
    id: 'body/extended-batch-transactions',
    severity: 'must',
    requirement:
      'The receiver understands the extended batch_transactions of BPAY payouts, whose id and account_type are integers.',
    lines: [156, 160],
    readings: ['delivery-success', 'extended-marketplace', 'account-codes'],
    uses: ['effects'],
    meaning:
      'The receiver rejects BPAY payouts or books them on the wrong record. Paid payouts stay open, and someone pays them again by hand.',
    remedy:
      'Accept an id that is a number or text, and store it as text. Use the field uuid as the stable id.',
    run: checkBpayPayout,
  },
  {
    id: 'body/null-links',
    severity: 'must',
    requirement:
      'The receiver accepts a body in which "links" is null, and a body in which "links.self" is null.',
    lines: [55],
    readings: ['delivery-success'],
    uses: ['effects'],
    meaning:
      'The receiver rejects a body without links and loses the notification, although the id in the body is enough.',
    remedy: 'Ask the service for the object by its id, and never depend on links.',
    async run(context) {
      const types = context.receiver.types().filter((type) => type !== 'virtual_accounts')
      const examples = oneExamplePerType(types)
      if (examples.length === 0) return notObservable('the receiver has no URL for a type with "links"')
      const comparisons: Comparison[] = []
      for (const [name, change] of LINKS) {
        const craft = async (message: Message, example: Example) => ({
          ...(await craftMessage(context, message, change)),
          label: `${example.name} with ${name}`,
        })
        comparisons.push(...(await compareExamples(context, examples, { change: craft })))
      }
      const finding = await actedOnLikeControl(context, comparisons)
      return withUnobserved(finding, unobservedEffects(context))
    },
  },
  {
    id: 'body/flat-virtual-accounts',
    severity: 'must',
    requirement:
      'The receiver accepts the flat body of virtual_accounts, without a wrapper key, and with updatedAt at any offset.',
    lines: [322, 323, 324, 325, 326],
    readings: ['delivery-success', 'virtual-account-exceptions'],
    meaning:
      'Your platform never learns that a virtual account was activated. Customers do not learn which account to pay into, or pay into an account whose activation failed.',
    remedy:
      'Recognise the body by event "status_updated" and name "virtual_accounts", and parse updatedAt with its offset.',
    run: (context) =>
      checkForms(context, 'virtual_accounts', [
        'virtual-accounts-status-updated',
        'virtual-accounts-status-updated-behind-utc',
        'virtual-accounts-status-updated-in-utc',
      ]),
  },
]

const LINKS: readonly (readonly [name: string, change: (object: JsonObject) => JsonObject])[] = [
  ['links null', (object) => ({ ...object, links: null })],
  // Does not change objects without a `self` link.
  [
    'links.self null',
    (object) => {
      const links = toJsonObject(object['links'])
      return 'self' in links ? { ...object, links: { ...links, self: null } } : object
    },
  ],
]

async function checkBpayPayout(context: CheckContext): Promise<Finding> {
  const [usual] = oneExamplePerType(['batch_transactions'])
  if (!usual || !context.receiver.types().includes('batch_transactions'))
    return noUrlFor(['batch_transactions'])
  if (context.profile.unused.includes('bpay-payout'))
    return notObservable('the platform does not use the payment kind bpay-payout')
  const play = await context.service.play('bpay-payout', 'successful')
  await play.finish()
  const comparisons = play.messages.map((message) => ({
    message: { ...message, label: `extended ${message.label}` },
    control: () => goldenMessage(context, usual),
  }))
  const target = play.consequence
  const payment = { target, because: 'a successful payout by BPAY' }
  const finding =
    (await acceptedLikeControl(context, comparisons)) ?? (await oneEffectLikeControl(context, payment))
  return withUnobserved(finding, unobservedEffectsOn(context, target))
}

/** Fails if the receiver rejects an example of this type. Inconclusive if it also rejects an example of another type. */
async function checkForms(context: CheckContext, type: NotifiedType, names: readonly string[]) {
  const had = context.receiver.types()
  if (!had.includes(type)) return noUrlFor([type])
  const [other] = oneExamplePerType(had.filter((each) => each !== type))
  const usual = (example: Example) => other ?? example
  const comparisons = await compareExamples(context, examplesNamed(names), { usual })
  const messages = comparisons.map(({ message }) => message)
  const refused = other
    ? await acceptedLikeControl(context, comparisons)
    : expectAccepted(...(await sendAll(context, messages)))
  const finding = refused ?? (await oneEffectOfEach(context, messages))
  const isMoney = messages.some((message) => isActedOn(context.profile, message))
  return withUnobserved(finding, isMoney ? unobservedEffects(context) : undefined)
}
