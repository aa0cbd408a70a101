import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import { acceptedAsUsual, oneEffectAsUsual, type Unusual } from '../../toolkit/as-usual.ts'
import type { CheckContext, Notice, ReceiverCheck } from '../../toolkit/check-context.ts'
import { crafted, fieldsOf, type Fields } from '../../toolkit/crafted.ts'
import { notObservable, PASSED, type Finding } from '../../finding.ts'
import { goldenNamed, goldenNotice, NULLS, oneOfEach, withoutNulls } from '../../toolkit/golden.ts'
import { acceptedAll, sendAll } from '../../toolkit/judge.ts'
import { butUnseen, effectsUnseen, lacking, noUrlFor } from '../../toolkit/unseen.ts'

export const nulls: ReceiverCheck = {
  id: 'body/nulls',
  severity: 'must',
  requirement: 'The receiver takes a body in which every optional value is null.',
  lines: [54],
  readings: ['delivery-success'],
  meaning:
    'A payee without a name or an item without a due date is enough: its notification is refused for a day and then lost, with the money that it tells of.',
  remedy: 'Read every optional field as "a value or null", down to the columns that you store it in.',
  async run(context) {
    const types = notifiedTypes.filter((type) => NULLS.some((example) => example.type === type))
    const examples = NULLS.filter(({ type }) => context.receiver.types().includes(type))
    if (examples.length === 0) return noUrlFor(types)
    const unusual = []
    for (const example of examples) {
      const usual = () => goldenNotice(context, withoutNulls(example))
      unusual.push({ notice: await goldenNotice(context, example), usual })
    }
    return (await acceptedAsUsual(context, unusual)) ?? butUnseen(PASSED, lacking(context, types))
  },
}

export const payinDetails: ReceiverCheck = {
  id: 'body/payin-details',
  severity: 'must',
  requirement: 'The receiver takes transactions whose payin_details is an object, is null, or is not there.',
  lines: [80],
  readings: ['delivery-success', 'pay-id-types'],
  meaning:
    'Customers who pay to an account number instead of a PayID cannot be told apart by type: their money arrives and is never credited.',
  remedy: 'Ask whether payin_details is there, and is not null, before you read what is in it.',
  run: (context) =>
    accepting(context, 'transactions', [
      'transactions-deposit-npp-payin-by-pay-id',
      'transactions-deposit-npp-payin-by-pay-id-organisation',
      'transactions-deposit-npp-payin-by-crn',
      'transactions-deposit-npp-payin-by-virtual-account',
      'transactions-deposit-direct-credit',
    ]),
}

export const flatVirtualAccounts: ReceiverCheck = {
  id: 'body/flat-virtual-accounts',
  severity: 'must',
  requirement:
    'The receiver takes the flat body of virtual_accounts: without a wrapper key, and with updatedAt at any offset.',
  lines: [322, 323, 324, 325, 326],
  readings: ['delivery-success', 'virtual-account-exceptions'],
  meaning:
    'No activation is ever heard of: customers are not given the account to pay into, or pay into one that has failed.',
  remedy:
    'Tell the body by event "status_updated" and name "virtual_accounts", and parse updatedAt with its offset.',
  run: (context) =>
    accepting(context, 'virtual_accounts', [
      'virtual-accounts-status-updated',
      'virtual-accounts-status-updated-behind-utc',
      'virtual-accounts-status-updated-in-utc',
    ]),
}

const LINKS: readonly (readonly [what: string, change: (object: Fields) => Fields])[] = [
  ['links null', (object) => ({ ...object, links: null })],
  // Not every type has a link to itself at all.
  [
    'links.self null',
    (object) => {
      const links = fieldsOf(object['links'])
      return 'self' in links ? { ...object, links: { ...links, self: null } } : object
    },
  ],
]

export const nullLinks: ReceiverCheck = {
  id: 'body/null-links',
  severity: 'must',
  requirement: 'The receiver takes a body whose links are null, and one whose link to itself is.',
  lines: [55],
  readings: ['delivery-success'],
  meaning: 'What has no links is refused for a day and then lost, although its id says all that is needed.',
  remedy: 'Ask for the object by its id, and never depend on links.',
  async run(context) {
    const examples = oneOfEach(context.receiver.types()).filter(({ type }) => type !== 'virtual_accounts')
    if (examples.length === 0) return notObservable('the receiver has no URL for a type with links')
    const unusual: Unusual[] = []
    for (const example of examples) {
      const usual = () => goldenNotice(context, example)
      for (const [what, change] of LINKS) {
        const notice = await crafted(context, await usual(), change)
        unusual.push({ notice: { ...notice, label: `${example.name} with ${what}` }, usual })
      }
    }
    return (await acceptedAsUsual(context, unusual)) ?? PASSED
  },
}

export const extendedBatchTransactions: ReceiverCheck = {
  id: 'body/extended-batch-transactions',
  severity: 'must',
  requirement:
    'The receiver understands the extended batch_transactions of BPAY payouts, whose id and account_type are integers.',
  lines: [156, 160],
  readings: ['delivery-success', 'extended-marketplace', 'account-codes'],
  uses: ['effects'],
  meaning:
    'Payouts by BPAY are refused, or booked on the wrong record: they stay open although paid, and are paid again by hand.',
  remedy: 'Read id as a number or text, keep it as text, and take uuid for the id that does not change.',
  run: payoutByBpay,
}

async function payoutByBpay(context: CheckContext): Promise<Finding> {
  if (!context.receiver.types().includes('batch_transactions')) return noUrlFor(['batch_transactions'])
  if (context.profile.unused.includes('bpay-payout'))
    return notObservable('the platform has no use for a bpay-payout')
  const play = await context.world.play('bpay-payout', 'successful')
  await play.finish()
  const usual = () => usualBatchTransaction(context)
  const refused = await acceptedAsUsual(
    context,
    play.notices.map((notice) => ({ notice: { ...notice, label: `extended ${notice.label}` }, usual })),
  )
  if (refused) return refused
  const { consequence } = play
  const because = 'a payout by BPAY that is successful'
  const missed = await oneEffectAsUsual(context, { target: consequence, because })
  return missed ?? butUnseen(PASSED, effectsUnseen(context, consequence))
}

/** What is refused says something only of a receiver that accepts another type. */
async function accepting(
  context: CheckContext,
  type: NotifiedType,
  names: readonly string[],
): Promise<Finding> {
  const had = context.receiver.types()
  if (!had.includes(type)) return noUrlFor([type])
  const [other] = oneOfEach(had.filter((each) => each !== type))
  const unusual: Unusual[] = []
  for (const example of goldenNamed(names)) {
    const usual = () => goldenNotice(context, other ?? example)
    unusual.push({ notice: await goldenNotice(context, example), usual })
  }
  if (other) return (await acceptedAsUsual(context, unusual)) ?? PASSED
  return (
    acceptedAll(
      ...(await sendAll(
        context,
        unusual.map(({ notice }) => notice),
      )),
    ) ?? PASSED
  )
}

async function usualBatchTransaction(context: CheckContext): Promise<Notice> {
  const [example] = oneOfEach(['batch_transactions'])
  return example
    ? goldenNotice(context, example)
    : context.noticeOf(await context.world.create('batch_transactions'))
}
