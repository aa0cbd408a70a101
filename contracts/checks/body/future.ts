import { notifiedTypes } from '../../../spec/notifications.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { goldenMessage, oneExamplePerType } from '../../toolkit/golden-message.ts'
import { PASSED, failed, notObservable, unreachable, withUnobserved, type Finding } from '../../finding.ts'
import {
  acceptedLikeControl,
  oneEffectLikeControl,
  type Comparison,
} from '../../toolkit/control-comparison.ts'
import { describeExchange, expectEffects, isReached } from '../../toolkit/expectations.ts'
import { createSample, expectedEffect, type ExpectedEffect } from '../../toolkit/expected-effect.ts'
import {
  craftMessage,
  isJsonObject,
  readObject,
  toJsonObject,
  type JsonObject,
} from '../../toolkit/messages.ts'
import { describeMissingUrls, typesWithUrl, unobservedEffectsOn } from '../../toolkit/unobserved.ts'
import { isAccepted } from '../../toolkit/expectations.ts'
import { isRefused } from '../../toolkit/expectations.ts'

export const unknownFields: ReceiverCheck = {
  id: 'body/unknown-fields',
  severity: 'should',
  requirement: 'The receiver accepts unknown fields at every level, and acts as without them.',
  lines: [351, 352],
  readings: ['delivery-success'],
  uses: ['effects'],
  meaning:
    'As soon as the service adds a field, the receiver rejects every notification. After the last retry, each payment of that time is lost.',
  remedy: 'Read the fields that you need, and let your parser or schema ignore the others.',
  run: checkUnknownFields,
}

async function checkUnknownFields(context: CheckContext): Promise<Finding> {
  const examples = oneExamplePerType(context.receiver.types())
  if (examples.length === 0) return notObservable('the receiver has no URL')
  const comparisons: Comparison[] = []
  for (const example of examples) {
    const control = () => goldenMessage(context, example)
    comparisons.push({ message: await craftUnknownFields(context, await control()), control })
  }
  const due = await expectedEffect(context)
  if (due) comparisons.push(...(await addUnknownFieldsToAll(context, due)))
  const refused = await acceptedLikeControl(context, comparisons)
  if (refused) return refused
  const because = 'the same as without the unknown fields'
  const missed = await oneEffectLikeControl(context, { target: due?.target, because })
  return missed ?? withUnobserved(PASSED, unobservedEffectsOn(context, due?.target))
}

async function addUnknownFieldsToAll(
  context: CheckContext,
  { before, message }: ExpectedEffect,
): Promise<readonly Comparison[]> {
  const control = async () => (await expectedEffect(context, { type: message.type }))?.message ?? message
  const last = await craftUnknownFields(context, message)
  return [...before, last].map((each) => ({ message: each, control }))
}

async function craftUnknownFields(context: CheckContext, message: Message): Promise<Message> {
  const more = await craftMessage(context, message, (object) => toJsonObject(addUnknownFields(object)))
  return { ...more, label: `${message.label} with unknown fields` }
}

/** Adds a text to each object, and an object where values are not only texts. */
function addUnknownFields(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((child) => addUnknownFields(child))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, child]) => [name, addUnknownFields(child, name)] as const)
  const more =
    key === 'links' ? {} : { future_object: { future_text: 'of a later version', future_number: 1 } }
  return { ...Object.fromEntries(entries), future_text: '/of/a/later/version', ...more }
}

export const unknownStates: ReceiverCheck = {
  id: 'body/unknown-states',
  severity: 'should',
  requirement:
    'The receiver accepts an unknown state and does not act on it. It acts at most once on an unknown type_method.',
  lines: [212, 245, 246, 247, 248],
  readings: ['delivery-success', 'item-states', 'user-states', 'transaction-states', 'unshown-transitions'],
  uses: ['effects'],
  meaning:
    'The document has no complete list of states. A receiver that rejects a new state loses the notification. A receiver that treats a new state as success releases goods without money.',
  remedy: 'Act on the states and kinds that you know by name, store the others, and answer 2xx.',
  negative: true,
  run: checkUnknownStates,
}

const UNKNOWN = 'awaiting_future_review'
/** A trap for receivers that search for a word in the state. */
const NEARLY = 'partially_successful'

/** The types with effects and a state in their body. */
const ACTED_ON = ['transactions', 'batch_transactions', 'disbursements', 'items'] as const

/** Values of a future version, as a new kind or state. */
const CHANGES = [
  {
    what: 'an unknown state',
    change: { state: UNKNOWN, status: 12_999, npp_payout_state: UNKNOWN },
    mayAct: false,
  },
  {
    what: `the unknown state ${NEARLY}`,
    change: { state: NEARLY, status: 12_998, npp_payout_state: NEARLY },
    mayAct: false,
  },
  // The payment has succeeded in an unknown way. A receiver may act or not.
  { what: 'an unknown type_method', change: { type_method: 'future_rail' }, mayAct: true },
] as const

async function checkUnknownStates(context: CheckContext): Promise<Finding> {
  const due = []
  for (const type of typesWithUrl(context, ACTED_ON)) {
    for (const { what, change, mayAct } of CHANGES) {
      const payment = await expectedEffect(context, { type })
      const fits = payment && Object.keys(change).some((field) => field in readObject(payment.message))
      if (!fits) continue
      const message = await craftMessage(context, payment.message, (object) =>
        changePresentFields(object, change),
      )
      const control = async () => (await expectedEffect(context, { type }))?.message ?? payment.message
      due.push({
        what,
        mayAct,
        target: payment.target,
        control,
        message: { ...message, label: `${type} with ${what}` },
      })
    }
  }
  const others = await makeOtherUnknownStates(context)
  if (due.length + others.length === 0) return notObservable('the receiver has no URL for a type with states')
  const refused = await acceptedLikeControl(context, [...due, ...others])
  if (refused) return refused
  const acted = await Promise.all(
    due.map(async ({ what, mayAct, target }) => {
      const because = `it was notified of ${what}`
      if (!mayAct) return expectEffects(context, target, { effects: 0, because, isLast: true })
      const hasActed = context.effects.observable && (await context.effects.settle(target, 0)).effects > 0
      return hasActed ? expectEffects(context, target, { effects: 1, because }) : undefined
    }),
  )
  const types = notifiedTypes.filter((type) => STATEFUL.has(type))
  return (
    acted.find((finding) => finding !== undefined) ??
    withUnobserved(PASSED, describeMissingUrls(context, types), unobservedEffectsOn(context, due[0]?.target))
  )
}

const STATEFUL: ReadonlySet<string> = new Set([
  'items',
  'users',
  'batch_transactions',
  'transactions',
  'disbursements',
])

function changePresentFields(object: JsonObject, change: JsonObject): JsonObject {
  return { ...object, ...Object.fromEntries(Object.entries(change).filter(([field]) => field in object)) }
}

async function makeOtherUnknownStates(context: CheckContext): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = []
  for (const example of oneExamplePerType(typesWithUrl(context, ['items', 'users']))) {
    const control = () => goldenMessage(context, example)
    const message = await craftMessage(context, await control(), (object) =>
      changePresentFields(object, { state: UNKNOWN, verification_state: UNKNOWN }),
    )
    comparisons.push({ message: { ...message, label: `${example.type} with an unknown state` }, control })
  }
  return comparisons
}

export const unknownType: ReceiverCheck = {
  id: 'body/unknown-type',
  severity: 'should',
  requirement: 'The receiver accepts or rejects an object of an unknown type, and acts on nothing.',
  lines: [38, 47],
  readings: ['delivery-success'],
  uses: ['effects'],
  meaning:
    'The list of types has grown before. A crash makes the service retry. A receiver that treats an unknown type as a payment releases goods for nothing.',
  remedy: 'Look for the wrapper key that belongs to the URL. If it is absent, answer 2xx or 4xx.',
  negative: true,
  run: checkUnknownType,
}

async function checkUnknownType(context: CheckContext): Promise<Finding> {
  const subject = await createSample(context)
  if (!subject) return notObservable('the receiver has no URL')
  const { target, message } = subject
  const body = JSON.stringify({ payment_orders: readObject(message) })
  const sent = await context.send({ ...message, body }, { label: 'a body under the key "payment_orders"' })
  if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
  if (!isAccepted(sent) && !isRefused(sent))
    return failed('an answer from 200 to 299 or from 400 to 499', describeExchange(sent), {
      exchanges: [sent],
    })
  const because = 'only an object of an unknown type came'
  const acted = target && (await expectEffects(context, target, { effects: 0, because, isLast: true }))
  return acted ?? withUnobserved(PASSED, unobservedEffectsOn(context, target))
}
