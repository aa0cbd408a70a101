import { objectId } from '../../../spec/models.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import {
  isPaymentKind,
  outcomesOf,
  paymentKinds,
  stepsOf,
  type Arrival,
  type PaymentKind,
} from '../../../spec/payments.ts'
import { ApiError } from '../core/api-error.ts'
import { birthOf } from '../objects/birth.ts'
import { changedObject, newObject } from '../objects/makers.ts'
import { nextStates } from '../objects/transitions.ts'
import type { EngineContext } from '../state/context.ts'
import { castFor } from './cast.ts'
import { effectsOf } from './effects.ts'
import { fieldsOf, setPath } from './fields.ts'
import type { Pace, Payment, PaymentMove } from '../state/payment.ts'
import { timestamp } from '../core/timestamp.ts'
import type { ObjectWrite, PaymentWrite } from '../state/write.ts'

export interface PlayRequest {
  readonly kind: string
  /** The final state; the usual one if left out. */
  readonly outcome?: string | undefined
  /** Minor units; what the item costs, or a plausible amount, if left out. */
  readonly amount?: number | undefined
  readonly currency?: string | undefined
  readonly item?: string | undefined
  readonly user?: string | undefined
  readonly account?: string | undefined
  /** The wallet that is paid out of; the user's, if left out. */
  readonly wallet?: string | undefined
  readonly pace?: Pace | undefined
}

/** What a step decides: the payment as it then stands, and everything to commit with it. */
export interface Played {
  readonly payment: Payment
  readonly writes: readonly (ObjectWrite | PaymentWrite)[]
}

const PLAUSIBLE_AMOUNT = 125_00

/** Begins a payment with its first step. Throws ApiError for a kind, an outcome or an object that is not there. */
export function startPayment(request: PlayRequest, context: EngineContext): Played {
  const kind = knownKind(request.kind)
  const outcome = knownOutcome(kind, request.outcome)
  const priced = request.item === undefined ? undefined : context.view.object('items', request.item)?.body
  const amount = request.amount ?? priced?.total_amount ?? PLAUSIBLE_AMOUNT
  if (priced && amount !== priced.total_amount) {
    const message = `Cannot pay ${amount} for items "${priced.id}": it costs ${priced.total_amount}`
    throw new ApiError('invalid', { field: 'amount', message })
  }
  const currency = request.currency ?? priced?.currency ?? 'AUD'
  const { cast, writes } = castFor({ ...request, kind, amount, currency }, context)
  const payment: Payment = {
    id: context.newId(),
    kind,
    outcome,
    amount,
    currency,
    pace: request.pace ?? 'instant',
    cast,
    objects: cast.virtual_account === null ? {} : { 'virtual_accounts//': cast.virtual_account },
    step: 0,
    steps: stepsOf(kind, outcome).length,
    created_at: context.now(),
    next_due_at: context.now(),
  }
  // What a payment only moves must have been made before.
  if (cast.virtual_account !== null) {
    const waiting = { ...payment, next_due_at: nextDue(payment.pace, context.now()) }
    return { payment: waiting, writes: [...writes, { kind: 'payment', payment: waiting }] }
  }
  return takeStep(payment, withMade(context, writes), writes)
}

/** Takes the next step of a payment; the same payment and nothing to write if there is none. */
export function continuePayment(payment: Payment, context: EngineContext): Played {
  return payment.step < payment.steps ? takeStep(payment, context, []) : { payment, writes: [] }
}

function knownKind(kind: string): PaymentKind {
  if (isPaymentKind(kind)) return kind
  const message = `Cannot play "${kind}": the kinds are ${paymentKinds.join(', ')}`
  throw new ApiError('invalid', { field: 'kind', message })
}

function knownOutcome(kind: PaymentKind, outcome: string | undefined): string {
  const outcomes = outcomesOf(kind)
  const [usual = ''] = outcomes
  if (outcome === undefined || outcomes.includes(outcome)) return outcome ?? usual
  const message = `Cannot play ${kind} to "${outcome}": it comes to ${outcomes.join(' or ')}`
  throw new ApiError('invalid', { field: 'outcome', message })
}

/** The world as it will be when these objects are written. */
export function withMade<Given extends EngineContext>(context: Given, writes: readonly ObjectWrite[]): Given {
  const { view } = context
  const made = new Map(
    writes.map(({ object_type, object }) => [`${object_type}/${objectId(object_type, object)}`, object]),
  )
  return {
    ...context,
    view: {
      ...view,
      object<Type extends NotifiedType>(type: Type, id: string) {
        const object = made.get(`${type}/${id}`)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kept under its own type just above
        return object ? { revision: 1, body: object as ObjectByType[Type] } : view.object(type, id)
      },
    },
  }
}

function takeStep(payment: Payment, context: EngineContext, made: readonly ObjectWrite[]): Played {
  const listed = stepsOf(payment.kind, payment.outcome)[payment.step] ?? []
  const arrivals =
    context.readings()['accompanying-notifications'] === 'all' ? listed.flatMap(withUnlisted) : listed
  if (arrivals.some((arrival) => isLedElsewhere(arrival, payment, context))) {
    const ended = endedPayment(payment)
    return { payment: ended, writes: [...made, { kind: 'payment', payment: ended }] }
  }
  const objects: Record<string, string> = { ...payment.objects }
  const writes = new Map(made.map((write) => [keyOf(write), write] as const))
  const put = (write: ObjectWrite) => {
    const earlier = writes.get(keyOf(write))
    // One revision for all that a step does to an object; it is silent only if nothing of it is to be told.
    const silent = (earlier?.silent ?? true) && (write.silent ?? false)
    writes.set(keyOf(write), { ...earlier, ...write, silent })
  }
  for (const arrival of arrivals) {
    const role = roleOf(arrival)
    const known = objects[role]
    const write = known === undefined ? created(arrival, payment, context) : moved(arrival, known, context)
    objects[role] = objectId(write.object_type, write.object)
    put(write)
    for (const effect of effectsOf(arrival, payment, { context, isNew: known === undefined })) put(effect)
  }
  const step = payment.step + 1
  const move: PaymentMove = {
    step,
    at: context.now(),
    objects: arrivals.map((arrival) => ({
      object_type: arrival.object,
      id: objects[roleOf(arrival)] ?? '',
      state: arrival.state,
    })),
  }
  const next_due_at = step < payment.steps ? nextDue(payment.pace, context.now()) : null
  const moves = [...(payment.moves ?? []), move]
  const stepped: Payment = { ...payment, objects, moves, step, next_due_at }
  return { payment: stepped, writes: [...writes.values(), { kind: 'payment', payment: stepped }] }
}

/** What an object is to its payment, among those that it notifies. */
export function roleOf({ object, type = '', type_method = '' }: Omit<Arrival, 'state'>): string {
  return `${object}/${type}/${type_method}`
}

/** A payment that takes no further step. */
export function endedPayment(payment: Payment): Payment {
  return { ...payment, step: payment.steps, next_due_at: null }
}

/** Whether the object is in a state from which the document shows no way to this one. Source: §3 */
function isLedElsewhere(arrival: Arrival, { objects }: Payment, { view }: EngineContext): boolean {
  const known = objects[roleOf(arrival)]
  const stored = known === undefined ? undefined : view.object(arrival.object, known)
  return stored !== undefined && nextStates(arrival.object, stored.body)?.includes(arrival.state) === false
}

/** A payout by direct credit has a transaction too, which §6.2 does not list. Source: §2.9. Reading: accompanying-notifications */
function withUnlisted(arrival: Arrival): readonly Arrival[] {
  const { object, type, type_method, state } = arrival
  const isPaidOut = object === 'batch_transactions' && type === 'disbursement' && state === 'successful'
  if (!isPaidOut || type_method !== 'direct_credit') return [arrival]
  return [arrival, { object: 'transactions', type, type_method, state }]
}

function keyOf({ object_type, object }: ObjectWrite): string {
  return `${object_type}/${objectId(object_type, object)}`
}

function nextDue(pace: Pace, now: number): number | null {
  if (pace === 'stepwise') return null
  return pace === 'instant' ? now : now + pace
}

function created(arrival: Arrival, payment: Payment, context: EngineContext): ObjectWrite {
  const birth = birthOf(context.newId(), context)
  const fields = fieldsOf(arrival, payment, context.view)
  const object: object = structuredClone(newObject(arrival.object, fields, birth))
  describeAmount(object)
  for (const [path, reference] of Object.entries(arrival.sets ?? {})) {
    if (reference === 'self.id') setPath(object, path, birth.id)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy of what was made of this type
  return { kind: 'object', object_type: arrival.object, object: object as ObjectByType[NotifiedType] }
}

/** Its sentence says what was really paid. Source: §2.4 */
function describeAmount(object: object): void {
  if (!('description' in object && 'amount' in object)) return
  const { description, amount } = object
  if (typeof description !== 'string' || typeof amount !== 'number') return
  const dollars = (amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })
  object.description = description.replaceAll(/\$[\d,]+\.\d\d/g, () => `$${dollars}`)
}

/** The object in the state in which it arrives. */
export function moved(
  arrival: Pick<Arrival, 'object' | 'state'>,
  id: string,
  { view, now }: EngineContext,
): ObjectWrite {
  const object_type = arrival.object
  const stored = view.object(object_type, id)
  if (!stored) throw new RangeError(`Cannot go on with a payment: ${object_type} "${id}" is gone`)
  const state = object_type === 'virtual_accounts' ? { status: arrival.state } : { state: arrival.state }
  const object = changedObject(object_type, stored.body, { fields: state, now: timestamp(now()) })
  return { kind: 'object', object_type, object }
}
