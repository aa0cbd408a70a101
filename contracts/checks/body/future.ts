import { notifiedTypes } from '../../../spec/notifications.ts'
import { acceptedAsUsual, oneEffectAsUsual, type Unusual } from '../../toolkit/as-usual.ts'
import type { CheckContext, Notice, ReceiverCheck } from '../../toolkit/check-context.ts'
import { crafted, fieldsOf, isFields, objectIn, type Fields } from '../../toolkit/crafted.ts'
import { anySubject, dueEffect, type Due } from '../../toolkit/due.ts'
import { failed, notObservable, PASSED, unreachable, type Finding } from '../../finding.ts'
import { goldenNotice, oneOfEach } from '../../toolkit/golden.ts'
import { effectsOf, isReached, told } from '../../toolkit/judge.ts'
import { butUnseen, effectsUnseen, lacking, typesAmong } from '../../toolkit/unseen.ts'

export const unknownFields: ReceiverCheck = {
  id: 'body/unknown-fields',
  severity: 'should',
  requirement: 'The receiver takes fields that it does not know, at every level, and acts as without them.',
  lines: [351, 352],
  readings: ['delivery-success'],
  uses: ['effects'],
  meaning:
    'On the day the service adds a field, every notification is refused, and after a day of retries each payment of that day is lost.',
  remedy: 'Read the fields that you need, and let your parser or schema ignore the others.',
  run: takesUnknownFields,
}

async function takesUnknownFields(context: CheckContext): Promise<Finding> {
  const examples = oneOfEach(context.receiver.types())
  if (examples.length === 0) return notObservable('the receiver has no URL')
  const unusual: Unusual[] = []
  for (const example of examples) {
    const usual = () => goldenNotice(context, example)
    unusual.push({ notice: await withUnknownFields(context, await usual()), usual })
  }
  const due = await dueEffect(context)
  if (due) unusual.push(...(await allWithUnknownFields(context, due)))
  const refused = await acceptedAsUsual(context, unusual)
  if (refused) return refused
  const because = 'the same as without the unknown fields'
  const missed = await oneEffectAsUsual(context, { target: due?.target, because })
  return missed ?? butUnseen(PASSED, effectsUnseen(context, due?.target))
}

async function allWithUnknownFields(
  context: CheckContext,
  { before, notice }: Due,
): Promise<readonly Unusual[]> {
  const usual = async () => (await dueEffect(context, { type: notice.type }))?.notice ?? notice
  const last = await withUnknownFields(context, notice)
  return [...before, last].map((each) => ({ notice: each, usual }))
}

async function withUnknownFields(context: CheckContext, notice: Notice): Promise<Notice> {
  const more = await crafted(context, notice, (object) => fieldsOf(extended(object)))
  return { ...more, label: `${notice.label} with unknown fields` }
}

/** With a text more in each object, and an object more where other than texts can be. */
function extended(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((child) => extended(child))
  if (!isFields(value)) return value
  const entries = Object.entries(value).map(([name, child]) => [name, extended(child, name)] as const)
  const more =
    key === 'links' ? {} : { future_object: { future_text: 'of a later version', future_number: 1 } }
  return { ...Object.fromEntries(entries), future_text: '/of/a/later/version', ...more }
}

export const unknownStates: ReceiverCheck = {
  id: 'body/unknown-states',
  severity: 'should',
  requirement: 'The receiver takes a state, and a type_method, that it does not know, and acts on neither.',
  lines: [212, 245, 246, 247, 248],
  readings: ['delivery-success', 'item-states', 'user-states', 'transaction-states', 'unshown-transitions'],
  uses: ['effects'],
  meaning:
    'The document lists no state completely. What refuses a new one loses it; what takes it for success releases goods for money that has not come.',
  remedy: 'Act on the states and kinds that you know by name, store the others, and answer 2xx.',
  negative: true,
  run: takesUnknownStates,
}

const UNKNOWN = 'awaiting_future_review'

/** What a payment says that is of no kind, or in no state, that anybody knows. */
const CHANGES = [
  ['an unknown state', { state: UNKNOWN, status: 12_999, npp_payout_state: UNKNOWN }],
  ['an unknown type_method', { type_method: 'future_rail' }],
] as const

async function takesUnknownStates(context: CheckContext): Promise<Finding> {
  const due = []
  for (const type of typesAmong(context, ['transactions', 'batch_transactions', 'disbursements'])) {
    for (const [what, change] of CHANGES) {
      const payment = await dueEffect(context, { type })
      const fits = payment && Object.keys(change).some((field) => field in objectIn(payment.notice))
      if (!fits) continue
      const notice = await crafted(context, payment.notice, (object) => changedWithin(object, change))
      const usual = async () => (await dueEffect(context, { type }))?.notice ?? payment.notice
      due.push({ what, target: payment.target, usual, notice: { ...notice, label: `${type} with ${what}` } })
    }
  }
  const others = await unknownStatesOfOthers(context)
  if (due.length + others.length === 0) return notObservable('the receiver has no URL for a type with states')
  const refused = await acceptedAsUsual(context, [...due, ...others])
  if (refused) return refused
  const acted = await Promise.all(
    due.map(({ what, target }) =>
      effectsOf(context, target, { effects: 0, because: `it was told of ${what}` }),
    ),
  )
  const types = notifiedTypes.filter((type) => STATEFUL.has(type))
  return (
    acted.find((finding) => finding !== undefined) ??
    butUnseen(PASSED, lacking(context, types), effectsUnseen(context, due[0]?.target))
  )
}

const STATEFUL: ReadonlySet<string> = new Set([
  'items',
  'users',
  'batch_transactions',
  'transactions',
  'disbursements',
])

/** Only fields that are there. */
function changedWithin(object: Fields, change: Fields): Fields {
  return { ...object, ...Object.fromEntries(Object.entries(change).filter(([field]) => field in object)) }
}

async function unknownStatesOfOthers(context: CheckContext): Promise<readonly Unusual[]> {
  const unusual: Unusual[] = []
  for (const example of oneOfEach(typesAmong(context, ['items', 'users']))) {
    const usual = () => goldenNotice(context, example)
    const notice = await crafted(context, await usual(), (object) =>
      changedWithin(object, { state: UNKNOWN, verification_state: UNKNOWN }),
    )
    unusual.push({ notice: { ...notice, label: `${example.type} with an unknown state` }, usual })
  }
  return unusual
}

export const unknownType: ReceiverCheck = {
  id: 'body/unknown-type',
  severity: 'should',
  requirement:
    'The receiver takes or refuses an object of a type that it does not know, and acts on nothing.',
  lines: [38, 47],
  readings: ['delivery-success'],
  uses: ['effects'],
  meaning:
    'The list of types has grown before. A crash makes the service repeat itself for a day; to take what is unknown for a payment releases goods for nothing.',
  remedy: 'Look for the wrapper key that belongs to the URL, and answer 2xx or 4xx if it is not there.',
  negative: true,
  run: takesUnknownType,
}

async function takesUnknownType(context: CheckContext): Promise<Finding> {
  const subject = await anySubject(context)
  if (!subject) return notObservable('the receiver has no URL')
  const { target, notice } = subject
  const body = JSON.stringify({ payment_orders: objectIn(notice) })
  const sent = await context.send({ ...notice, body }, { label: 'a body under the key "payment_orders"' })
  if (!isReached(sent)) return unreachable(told(sent))
  const isFine = sent.status !== null && (sent.status < 300 || (sent.status >= 400 && sent.status < 500))
  if (!isFine) return failed('an answer from 200 to 299 or from 400 to 499', told(sent))
  const because = 'only an object of an unknown type came'
  const acted = target && (await effectsOf(context, target, { effects: 0, because }))
  return acted ?? butUnseen(PASSED, effectsUnseen(context, target))
}
