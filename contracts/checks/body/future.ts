import { notifiedTypes } from '../../../spec/notifications.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { oneExamplePerType } from '../../toolkit/golden-message.ts'
import { notObservable, withUnobserved, type Finding, type ObjectRef } from '../../finding.ts'
import {
  acceptedLikeControl,
  compareExamples,
  comparePayment,
  oneEffectLikeControl,
  type Comparison,
} from '../../toolkit/control-comparison.ts'
import { expectAnswered, expectEffects } from '../../toolkit/expectations.ts'
import { expectedEffect, withSample } from '../../toolkit/expected-effect.ts'
import {
  craftMessage,
  isJsonObject,
  readObject,
  toJsonObject,
  type JsonObject,
} from '../../toolkit/messages.ts'
import { describeMissingUrls, NO_URL, typesWithUrl, unobservedEffectsOn } from '../../toolkit/unobserved.ts'

export const futureChecks: readonly ReceiverCheck[] = [
  {
    id: 'body/unknown-fields',
    severity: 'should',
    requirement: 'The receiver accepts unknown fields at every level, and acts as if they were absent.',
    lines: [351, 352],
    readings: ['delivery-success'],
    uses: ['effects'],
    meaning:
      'As soon as the service adds a field, the receiver rejects every notification. After the last retry, the payments in the rejected notifications are lost.',
    remedy: 'Read the fields that you need, and let your parser or schema ignore all other fields.',
    run: checkUnknownFields,
  },
  {
    id: 'body/unknown-states',
    severity: 'should',
    requirement:
      'The receiver accepts an unknown state and does not act on it. The receiver acts at most once on an object with an unknown type_method.',
    lines: [212, 245, 246, 247, 248],
    readings: ['delivery-success', 'item-states', 'user-states', 'transaction-states', 'unshown-transitions'],
    uses: ['effects'],
    meaning:
      "The service's document does not list all states. A receiver that rejects a new state loses the notification. A receiver that treats a new state as success releases goods without money.",
    remedy:
      'Act only on states and kinds that your code knows by name. Store unknown states and kinds, and answer 2xx.',
    negative: true,
    run: checkUnknownStates,
  },
  {
    id: 'body/unknown-type',
    severity: 'should',
    requirement: 'The receiver may accept or reject an object of an unknown type, but does not act on it.',
    lines: [38, 47],
    readings: ['delivery-success'],
    uses: ['effects'],
    meaning:
      'The service has added new types before. If an unknown type crashes the receiver, the service retries the notification. If the receiver treats an unknown type as a payment, it releases goods for nothing.',
    remedy:
      'Look for the wrapper key that belongs to the URL. If the body lacks the wrapper key of the URL, answer 2xx or 4xx.',
    negative: true,
    run: withSample(async (context, { target, message }) => {
      const body = JSON.stringify({ payment_orders: readObject(message) })
      const label = 'a body under the key "payment_orders"'
      const because = 'because only an object of an unknown type arrived'
      return (
        expectAnswered(await context.send({ ...message, body }, { label })) ??
        expectEffects(context, target, { effects: 0, because, isLast: true })
      )
    }),
  },
]

async function checkUnknownFields(context: CheckContext): Promise<Finding> {
  const examples = oneExamplePerType(context.receiver.types())
  if (examples.length === 0) return NO_URL
  const craft = async (message: Message) => ({
    ...(await craftMessage(context, message, (object) => toJsonObject(addUnknownFields(object)))),
    label: `${message.label} with unknown fields`,
  })
  const comparisons = [...(await compareExamples(context, examples, { change: craft }))]
  const due = await expectedEffect(context)
  if (due) {
    const messages = [...due.before, await craft(due.message)]
    comparisons.push(...comparePayment(context, messages, due.message.type))
  }
  const payment = { target: due?.target, because: 'the same as without the unknown fields' }
  const finding =
    (await acceptedLikeControl(context, comparisons)) ?? (await oneEffectLikeControl(context, payment))
  return withUnobserved(finding, unobservedEffectsOn(context, due?.target))
}

function addUnknownFields(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((child) => addUnknownFields(child))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, child]) => [name, addUnknownFields(child, name)] as const)
  const more =
    key === 'links'
      ? {}
      : { future_object: { future_text: 'of a later version of the service', future_number: 1 } }
  return { ...Object.fromEntries(entries), future_text: '/of/a/later/version', ...more }
}

const UNKNOWN = 'awaiting_future_review'
/** A state that contains the word "successful". A receiver that only searches for this word treats the payment as successful. */
const NEARLY = 'partially_successful'

/** The object types that can cause effects and have a state in the notification body. */
const ACTED_ON = ['transactions', 'batch_transactions', 'disbursements', 'items'] as const
const STATEFUL: ReadonlySet<string> = new Set(['users', ...ACTED_ON])

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
  // A successful payment with an unknown method. The receiver may act on a payment with an unknown method, or ignore the payment.
  { what: 'an unknown type_method', change: { type_method: 'future_rail' }, mayAct: true },
] as const

interface ChangedPayment {
  readonly what: string
  readonly mayAct: boolean
  readonly target: ObjectRef
  readonly comparisons: readonly Comparison[]
}

async function checkUnknownStates(context: CheckContext): Promise<Finding> {
  const due: ChangedPayment[] = []
  for (const type of typesWithUrl(context, ACTED_ON)) {
    for (const { what, change, mayAct } of CHANGES) {
      const payment = await expectedEffect(context, { type })
      const fits = payment && Object.keys(change).some((field) => field in readObject(payment.message))
      if (!fits) continue
      const crafted = await craftMessage(context, payment.message, changePresentFields(change))
      const message = { ...crafted, label: `${type} with ${what}` }
      due.push({
        what,
        mayAct,
        target: payment.target,
        comparisons: comparePayment(context, [message], type),
      })
    }
  }
  const changeState = changePresentFields({ state: UNKNOWN, verification_state: UNKNOWN })
  const others = await compareExamples(
    context,
    oneExamplePerType(typesWithUrl(context, ['items', 'users'])),
    {
      change: async (message) => ({
        ...(await craftMessage(context, message, changeState)),
        label: `${message.type} with an unknown state`,
      }),
    },
  )
  if (due.length + others.length === 0) return notObservable('the receiver has no URL for a type with states')
  const refused = await acceptedLikeControl(context, [
    ...due.flatMap(({ comparisons }) => comparisons),
    ...others,
  ])
  const acted = refused ? [] : await Promise.all(due.map((each) => expectNoEffect(context, each)))
  const finding = refused ?? acted.find((each) => each !== undefined)
  const types = notifiedTypes.filter((type) => STATEFUL.has(type))
  return withUnobserved(
    finding,
    describeMissingUrls(context, types),
    unobservedEffectsOn(context, due[0]?.target),
  )
}

async function expectNoEffect(context: CheckContext, { what, mayAct, target }: ChangedPayment) {
  const because = `after the receiver was notified of ${what}`
  if (!mayAct) return expectEffects(context, target, { effects: 0, because, isLast: true })
  const hasActed = context.effects.observable && (await context.effects.settle(target, 0)).effects > 0
  return hasActed ? expectEffects(context, target, { effects: 1, because }) : undefined
}

const changePresentFields =
  (change: JsonObject) =>
  (object: JsonObject): JsonObject => ({
    ...object,
    ...Object.fromEntries(Object.entries(change).filter(([field]) => field in object)),
  })
