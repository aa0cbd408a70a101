import {
  combineFindings,
  failed,
  passedExcept,
  unreachable,
  type Exchange,
  type Finding,
  type ObjectRef,
} from '../../finding.ts'
import { earlyPlaces, onePerType, selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import {
  describeEffects,
  describeExchange,
  expectEffects,
  isAccepted,
  isReached,
  isRefused,
} from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { forgeAmount, forgeCurrency, forgeState, readObject, replaceId } from '../../toolkit/messages.ts'
import { checkEffects, requireEffects } from '../../toolkit/payment-outcome.ts'
import type { EffectState } from '../../toolkit/ports.ts'
import { finishScenarios, playScenarios, type PlayedScenario } from '../../toolkit/scenario.ts'
import { oneByOne } from '../../toolkit/sequences.ts'
import { formatMoney } from '../../../spec/money.ts'

export const lieChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/lying-body',
    severity: 'must',
    requirement:
      'The receiver acts on the state, the amount and the currency that the service shows, not on the values in the notification.',
    lines: [283],
    readings: ['show-operations'],
    needs: ['effects'],
    negative: true,
    meaning:
      'Anyone who learns the URL can post "successful" for their own payment while it is processing, or ten times its amount. They get goods or money for it.',
    remedy: 'Act only on the fetched object. Take only the type and the id from the notification.',
    takesLong: true,
    run: checkLyingBody,
  },
  {
    id: 'trust/fabricated-id',
    severity: 'must',
    requirement: 'The receiver does not act on an object that the service does not know.',
    lines: [283],
    readings: ['object-errors', 'unknown-object'],
    needs: ['effects'],
    negative: true,
    meaning: 'Anyone who knows the URL can invent a payment, and your platform releases goods for nothing.',
    remedy: 'Fetch the object before you act. If the service answers 404, or 401 with code 405, do nothing.',
    run: checkFabricatedId,
  },
  {
    id: 'trust/unknown-object',
    severity: 'should',
    requirement: 'The receiver answers 2xx or 4xx to an unknown id, and stops asking for it.',
    lines: [283],
    readings: ['object-errors', 'unknown-object', 'request-limits'],
    uses: ['calls'],
    negative: true,
    takesLong: true,
    meaning:
      'With an error response, the service retries for hours. Endless calls use up the calls that real payments need.',
    remedy:
      'Accept 404, and 401 with code 405, as an answer. Record it, answer the notification, and ask only a few times.',
    run: checkUnknownObject,
  },
]

async function checkLyingBody(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const early = branches.flatMap((branch) => {
    const places = earlyPlaces(branch)
    return places.length === 0 ? [] : [{ branch, sequence: oneByOne(...places) }]
  })
  const played = await playScenarios(context, early)
  const states = await Promise.all(played.map((each) => claimSuccess(context, each)))
  const steady = played.filter((_, index) => states[index] === undefined)
  await finishScenarios(context, steady)
  const late = await Promise.all(steady.map((each) => requireEffects(context, each)))
  const finished = await playToSuccess(context, branches)
  const amounts = await Promise.all(finished.map((each) => claimMoney(context, each)))
  return combineFindings([...states.filter((each) => each !== undefined), ...late, ...amounts], unobserved)
}

/** The service shows a pending payment. The notification claims success. */
async function claimSuccess(
  context: CheckContext,
  { branch, play }: PlayedScenario,
): Promise<Finding | undefined> {
  const target = play.consequence
  const message = play.messages.findLast(({ type, id }) => type === target?.type && id === target.id)
  // Some objects, such as a BPAY deposit, exist only after success.
  if (!target || !message) return undefined
  const { state = branch.outcome } = branch.parts[branch.deciding ?? -1] ?? {}
  const sent = await context.send(forgeState(message, state), { label: `${target.type} ${state}, a lie` })
  if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
  const because = `which is ${message.state} at the service, whatever the notification says`
  return expectEffects(context, target, { effects: 0, because })
}

const TIMES = 10

/** The true money of an object, and the claimed currency. */
interface Money {
  readonly amount: number
  readonly currency: unknown
  readonly claimed: string
}

async function claimMoney(context: CheckContext, finished: PaymentToNotify): Promise<Finding | undefined> {
  const { branch, target, message } = finished
  const { amount, currency } = readObject(message)
  if (typeof amount !== 'number') return undefined
  const [more, claimed] = [amount * TIMES, currency === 'USD' ? 'EUR' : 'USD']
  const lie = forgeCurrency(forgeAmount(message, more), claimed)
  const sent = await context.send(lie, { label: `${message.label} of ${formatMoney(more, claimed)}, a lie` })
  if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
  // A receiver that rejected the lie gets the true message.
  const isHeard = isAccepted(sent) && (await context.effects.settle(target, 1)).effects > 0
  if (!isHeard) await context.sendUntilAccepted(message)
  const found = await checkEffects(context, finished, `when ${branch.kind} is notified with a wrong amount`)
  const money = { amount, currency, claimed }
  return found ?? judgeMoney(await context.effects.read(target), money, { target, sent })
}

function judgeMoney(
  seen: EffectState,
  { amount, currency, claimed }: Money,
  { target, sent }: { readonly target: ObjectRef; readonly sent: Exchange },
): Finding {
  if ((seen.amount ?? amount) !== amount || seen.currency === claimed) {
    const expected = `an effect of ${formatMoney(amount, String(currency))} for ${target.type} ${target.id}, whatever the notification says`
    return failed(expected, describeEffects(seen), { exchanges: [sent], objects: [target] })
  }
  return passedExcept(
    seen.amount === undefined ? 'The amounts that it acts on were not seen' : undefined,
    seen.currency === undefined ? 'The currencies that it acts on were not seen' : undefined,
  )
}

interface InventedObject {
  readonly message: Message
  readonly target: ObjectRef
}

/** Makes one for each type, realistic except for the id. */
async function inventObjects(
  context: CheckContext,
): Promise<{ all: readonly InventedObject[]; unobserved: string | undefined }> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await playToSuccess(context, onePerType(branches))
  const all = finished.map(({ message }) => {
    const made = replaceId(message, context.service.newId())
    return {
      message: { ...made, label: `${message.label}, made up` },
      target: { type: made.type, id: made.id },
    }
  })
  return { all, unobserved }
}

async function checkFabricatedId(context: CheckContext): Promise<Finding> {
  const { all, unobserved } = await inventObjects(context)
  const parts = await Promise.all(
    all.map(async ({ message, target }) => {
      const sent = await context.send(message)
      if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
      const because = 'which the service does not know'
      return expectEffects(context, target, { effects: 0, because, isLast: true })
    }),
  )
  return combineFindings(parts, unobserved)
}

const MOST_CALLS = 10

async function checkUnknownObject(context: CheckContext): Promise<Finding> {
  const { all, unobserved } = await inventObjects(context)
  const parts = await Promise.all(all.map((each) => sendUnknown(context, each)))
  return combineFindings(
    parts,
    context.calls.observable ? unobserved : 'How often it asks for the object was not seen',
  )
}

async function sendUnknown(
  context: CheckContext,
  { message, target }: InventedObject,
): Promise<Finding | undefined> {
  const sent = await context.send(message)
  if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
  if (!isAccepted(sent) && !isRefused(sent))
    return failed('an answer from 200 to 299 or from 400 to 499', describeExchange(sent), {
      exchanges: [sent],
    })
  if (!context.calls.observable) return undefined
  const calls = await context.calls.outlast(target, MOST_CALLS)
  if (calls.length <= MOST_CALLS) return undefined
  return failed(
    `at most ${MOST_CALLS} calls for ${target.type} ${target.id}`,
    `${calls.length} calls for it`,
    {
      exchanges: [sent],
      objects: [target],
    },
  )
}
