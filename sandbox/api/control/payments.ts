import type { Payment as ShownPayment, PlayRequest } from '../../../spec/generated/control-types.ts'
import { objectState } from '../../../spec/models.ts'
import { isNotifiedType, type NotifiedType } from '../../../spec/notifications.ts'
import { parseDuration } from '../../../spec/readings.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { performInEpoch, reply } from '../operations/operation.ts'
import { continuePayment, startPayment, withMade, type Played } from '../../engine/payments/play.ts'
import type { Pace, Payment } from '../../engine/state/payment.ts'
import { LATEST } from './clock.ts'
import { withSeed, type ControlContext, type ControlOperation } from './operation.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

export const playPayment: ControlOperation<'playPayment'> = ({ query, body }, given) => {
  const context = withSeed(query.seed, given)
  const { payment, writes } = startPayment({ ...body, pace: paceOf(body, context.now()) }, context)
  return performInEpoch(
    (actions) => actions.play(payment, writes),
    () => reply(201, shownPayment(found(payment.id, context), context)),
  )
}

export const listPayments: ControlOperation<'listPayments'> = (_, context) =>
  reply(200, { payments: context.view.payments().map((payment) => shownPayment(payment, context)) })

export const getPayment: ControlOperation<'getPayment'> = ({ path }, context) =>
  reply(200, shownPayment(found(path.id, context), context))

export const takePaymentStep: ControlOperation<'takePaymentStep'> = ({ path, query }, given) => {
  const context = withSeed(query.seed, given)
  const present = found(path.id, context)
  if (present.step === present.steps) {
    throw new ApiError(
      'conflict',
      `Cannot go on with payment "${path.id}": all its ${present.steps} steps are done`,
    )
  }
  const { payment, writes } = continuePayment(present, context)
  return reply(200, shownAfter(payment, writes, context), writes)
}

/** As it stands once these are written. */
function shownAfter(payment: Payment, writes: Played['writes'], context: ControlContext): ShownPayment {
  const objects = writes.filter((write) => write.kind === 'object')
  return shownPayment(payment, withMade(context, objects))
}

function found(id: string, { view }: ControlContext): Payment {
  const payment = view.payment(id)
  if (!payment) throw new ApiError('not-found', { field: 'id', message: `Cannot find payment "${id}"` })
  return payment
}

/** No payment has more. */
const MOST_STEPS = 3

function paceOf({ pace }: PlayRequest, now: number): Pace | undefined {
  if (pace === undefined || pace === 'instant' || pace === 'stepwise') return pace
  const gapMs = parseDuration(pace)
  if (gapMs !== undefined && now + MOST_STEPS * gapMs <= LATEST) return gapMs
  const message = `Cannot play at pace "${pace}": it is instant, stepwise or a duration such as 10m`
  throw new ApiError('invalid', { field: 'pace', message })
}

const TYPE_BY_ROLE: Readonly<Record<string, NotifiedType>> = {
  item: 'items',
  buyer: 'users',
  seller: 'users',
  wallet_account: 'accounts',
  bank_account: 'accounts',
  card_account: 'accounts',
  buyer_wallet: 'accounts',
  virtual_account: 'virtual_accounts',
}

/** A payment with its objects as they are now. */
export function shownPayment(
  { cast, objects, next_due_at, created_at: _, moves = [], ...payment }: Payment,
  { view }: Pick<ControlContext, 'view'>,
): ShownPayment {
  const roles = [...Object.entries(cast), ...Object.entries(objects)].flatMap(([role, id]) => {
    const type = TYPE_BY_ROLE[role] ?? role.split('/')[0] ?? ''
    if (id === null || !isNotifiedType(type)) return []
    const object = view.object(type, id)
    return [
      {
        role: role.replace(/\/+$/, ''),
        object_type: type,
        id,
        state: object ? objectState(type, object.body) : null,
      },
    ]
  })
  // What a payment moves may be of its cast too: once is enough.
  const once = new Map(roles.toReversed().map((object) => [`${object.object_type}/${object.id}`, object]))
  return {
    ...payment,
    next_due_at: next_due_at === null ? null : timestamp(next_due_at),
    moves: moves.map(({ step, at, objects: moved }) => ({
      step,
      at: timestamp(at),
      objects: moved.map((object) => ({ ...object })),
    })),
    objects: [...once.values()],
  }
}
