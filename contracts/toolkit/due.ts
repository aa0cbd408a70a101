import type { NotifiedType } from '../../spec/notifications.ts'
import { paymentOutcomes, paymentSteps, type PaymentKind } from '../../spec/payments.ts'
import type { CheckContext, EffectTarget, Notice, Play } from './check-context.ts'
import { goldenNotice, oneOfEach } from './golden.ts'
import { notObservable, type NotObservable } from '../finding.ts'

/** A payment that has succeeded, and what the receiver is to be told of it. */
export interface Due {
  readonly target: EffectTarget
  /** What comes before; none for most kinds. */
  readonly before: readonly Notice[]
  /** The one that a platform acts on. */
  readonly notice: Notice
}

/** Those that are told in one notice first. */
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
export async function dueEffect(
  { receiver, world, profile }: Pick<CheckContext, 'receiver' | 'world' | 'profile'>,
  options?: { readonly amount?: number; readonly type?: NotifiedType },
): Promise<Due | undefined> {
  const had = options?.type === undefined ? receiver.types() : [options.type]
  for (const kind of KINDS.filter((each) => !profile.unused.includes(each))) {
    const [outcome = ''] = paymentOutcomes(kind)
    if (!paymentSteps(kind, outcome).every((step) => step.every(({ object }) => had.includes(object))))
      continue
    const play = await world.play(
      kind,
      outcome,
      options?.amount === undefined ? {} : { amount: options.amount },
    )
    await play.finish()
    const due = dueOf(play)
    if (due) return due
  }
  return undefined
}

function dueOf({ consequence, notices }: Play): Due | undefined {
  if (!consequence) return undefined
  const last = notices.findLastIndex(({ type, id }) => type === consequence.type && id === consequence.id)
  const notice = notices[last]
  return notice && { target: consequence, before: notices.slice(0, last), notice }
}

/** What is sent in a way of its own: a payment that is due, or else any object, upon which nothing is to be seen but answers. */
export interface Subject {
  readonly target: EffectTarget | undefined
  readonly before: readonly Notice[]
  readonly notice: Notice
}

/** Undefined if the receiver has no URL. */
export async function anySubject(context: CheckContext): Promise<Subject | undefined> {
  const due = await dueEffect(context)
  if (due) return due
  const [example] = oneOfEach(context.receiver.types())
  return example && { target: undefined, before: [], notice: await goldenNotice(context, example) }
}

export function nothingDue(): NotObservable {
  return notObservable(`the receiver has no URL for a payment: none for ${TYPES.join(', ')}`)
}
