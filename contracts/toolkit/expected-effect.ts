import type { NotifiedType } from '../../spec/notifications.ts'
import { paymentOutcomes, paymentSteps, type PaymentKind } from '../../spec/payments.ts'
import type { Branch } from './branches.ts'
import type { CheckContext, Message, Play } from './check-context.ts'
import { goldenMessage, oneExamplePerType } from './golden-message.ts'
import { notObservable, type NotObservable, type ObjectRef } from '../finding.ts'
import { lastMessageAbout } from './payment-outcome.ts'

/** A payment that is over, of which the receiver has not been notified yet. */
export interface FinishedPayment {
  readonly branch: Branch
  readonly play: Play
  /** The object that a platform acts on. */
  readonly target: ObjectRef
  /** The message that tells what became of it. */
  readonly message: Message
}

/** A fresh payment of each branch, played to its end; without those that no message decides over. */
export async function playToEnd(
  context: Pick<CheckContext, 'service'>,
  branches: readonly Branch[],
): Promise<readonly FinishedPayment[]> {
  const finished: FinishedPayment[] = []
  for (const branch of branches) {
    const play = await context.service.play(branch.kind, branch.outcome)
    await play.finish()
    const target = play.consequence
    const message = lastMessageAbout(play, target)
    if (target && message) finished.push({ branch, play, target, message })
  }
  return finished
}

/** A payment that has succeeded, and the messages that notify it. */
export interface ExpectedEffect {
  readonly target: ObjectRef
  /** What comes before; none for most kinds. */
  readonly before: readonly Message[]
  /** The one that a platform acts on. */
  readonly message: Message
}

/** Those that are notified by one message first. */
const KINDS: readonly PaymentKind[] = [
  'npp-payin',
  'direct-credit-payin',
  'wallet-to-item-transfer',
  'realtime-payout',
  'direct-credit-payout',
  'direct-debit-payin',
]

const TYPES: readonly NotifiedType[] = ['transactions', 'disbursements', 'batch_transactions']

/** Lets a payment succeed that the receiver has a URL for and knows nothing of yet; undefined if it has no URL for any. */
export async function expectedEffect(
  { receiver, service, profile }: Pick<CheckContext, 'receiver' | 'service' | 'profile'>,
  { type }: { readonly type?: NotifiedType } = {},
): Promise<ExpectedEffect | undefined> {
  const types = type === undefined ? receiver.types() : [type]
  for (const kind of KINDS.filter((each) => !profile.unused.includes(each))) {
    const [outcome = ''] = paymentOutcomes(kind)
    if (!paymentSteps(kind, outcome).every((step) => step.every(({ object }) => types.includes(object))))
      continue
    const play = await service.play(kind, outcome)
    await play.finish()
    const target = play.consequence
    const message = lastMessageAbout(play, target)
    if (target && message)
      return { target, message, before: play.messages.slice(0, play.messages.indexOf(message)) }
  }
  return undefined
}

/** A payment that has succeeded, or else any object, which can have no effect. */
export interface Sample {
  readonly target: ObjectRef | undefined
  readonly before: readonly Message[]
  readonly message: Message
}

/** Undefined if the receiver has no URL. */
export async function createSample(context: CheckContext): Promise<Sample | undefined> {
  const payment = await expectedEffect(context)
  if (payment) return payment
  const [example] = oneExamplePerType(context.receiver.types())
  return example && { target: undefined, before: [], message: await goldenMessage(context, example) }
}

export function noPaymentUrl(): NotObservable {
  return notObservable(`the receiver has no URL for a payment: none for ${TYPES.join(', ')}`)
}
