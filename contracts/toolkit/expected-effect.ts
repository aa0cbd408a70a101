import type { NotifiedType } from '../../spec/notifications.ts'
import { paymentKinds, type PaymentKind } from '../../spec/payments.ts'
import { earlyPlaces, selectBranches, type Branch } from './branches.ts'
import type { CheckContext, Message, Play, ReceiverCheck } from './check-context.ts'
import { goldenMessage, oneExamplePerType } from './golden-message.ts'
import { notObservable, withUnobserved, type Finding, type ObjectRef } from '../finding.ts'
import { ownMessages, reachMessages } from './scenario.ts'
import { NO_URL, unobservedEffectsOn } from './unobserved.ts'

/** A successful payment that the receiver has not been notified of yet. */
export interface PaymentToNotify {
  readonly branch: Branch
  readonly play: Play
  readonly target: ObjectRef
  readonly message: Message
}

export async function playToSuccess(
  context: Pick<CheckContext, 'service'>,
  branches: readonly Branch[],
): Promise<readonly PaymentToNotify[]> {
  const finished: PaymentToNotify[] = []
  for (const branch of branches) {
    if (branch.deciding === undefined) continue
    const play = await context.service.play(branch.kind, branch.outcome)
    const message = (await reachMessages(branch, play, branch.deciding))[branch.deciding]
    const target = play.consequence
    if (target && message) finished.push({ branch, play, target, message })
  }
  return finished
}

export interface ExpectedEffect extends Sample {
  readonly target: ObjectRef
}

/** The preferred kinds of payment for a sample. Kinds with a single message come first. */
const FIRST_KINDS: readonly PaymentKind[] = [
  'npp-payin',
  'direct-credit-payin',
  'wallet-to-item-transfer',
  'realtime-payout',
  'direct-credit-payout',
  'direct-debit-payin',
]

/**
 * Plays a new payment, preferably of the given kind, until it succeeds. Returns undefined if the receiver has no URL for a
 * suitable payment.
 */
export async function expectedEffect(
  context: Pick<CheckContext, 'receiver' | 'service' | 'profile' | 'calls'>,
  { type, kind }: { readonly type?: NotifiedType; readonly kind?: PaymentKind | undefined } = {},
): Promise<ExpectedEffect | undefined> {
  const kinds = new Set([...(kind ? [kind] : []), ...FIRST_KINDS, ...paymentKinds])
  const { branches } = selectBranches(context, 'good', [...kinds])
  const branch = branches.find(({ parts, deciding = 0 }) => {
    const found = parts[deciding]?.type
    // By default, accepts any type except virtual accounts, because only a call to the service shows their status.
    return type === undefined ? found !== 'virtual_accounts' : found === type
  })
  if (!branch) return undefined
  const [payment] = await playToSuccess(context, [branch])
  if (!payment) return undefined
  const { target, message, play } = payment
  const before = earlyPlaces(branch).map((place) => ownMessages(branch, play)[place])
  return { target, message, before: before.filter((each) => each !== undefined) }
}

/** A successful payment, or an object without an effect. */
export interface Sample {
  readonly target: ObjectRef | undefined
  /** The earlier messages of the payment. Most payment kinds have no earlier messages. */
  readonly before: readonly Message[]
  /** The message that a platform acts on. */
  readonly message: Message
}

export async function createSample(context: CheckContext, type?: NotifiedType): Promise<Sample | undefined> {
  const payment = await expectedEffect(context, type && { type })
  if (payment) return payment
  const [example] = oneExamplePerType(type ? [type] : context.receiver.types())
  return example && { target: undefined, before: [], message: await goldenMessage(context, example) }
}

/** Returns the `run` function of a check that needs one sample. The finding is "not observable" if the receiver has no URL. */
export function withSample(
  check: (context: CheckContext, sample: Sample) => Promise<Finding | undefined>,
): ReceiverCheck['run'] {
  return async (context) => {
    const sample = await createSample(context)
    if (!sample) return NO_URL
    const finding = await check(context, sample)
    return withUnobserved(finding, unobservedEffectsOn(context, sample.target))
  }
}

export const NO_PAYMENT_URL = notObservable(
  'the receiver has no URL for an object that your platform acts on',
)
