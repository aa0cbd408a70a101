import type * as Api from '../../../spec/generated/control-types.ts'
import { objectState } from '../../../spec/models.ts'
import { isNotifiedType } from '../../../spec/notifications.ts'
import {
  isNotified,
  isParticipantRole,
  listNotifications,
  PARTICIPANT_TYPES,
  paymentForms,
  type PaymentKind,
  paymentKinds,
  paymentOutcomes,
  paymentRows,
  paymentSteps,
  paysItem,
} from '../../../spec/payments.ts'
import { parseDuration, type ReadingValues } from '../../../spec/readings.ts'
import { ApiError, notFoundError, refuseField } from '../../engine/core/api-error.ts'
import { performInEpoch, reply } from '../operations/operation.ts'
import { withPendingWrites } from '../../engine/objects/pending-writes.ts'
import { continuePayment } from '../../engine/payments/take-step.ts'
import type { PaymentPace, Payment } from '../../engine/state/entries.ts'
import { placeOfPage } from './cursor-pages.ts'
import { readPastOrPresent } from './look-back.ts'
import { type ControlContext, type ControlOperation, withSeed } from './operation.ts'
import { completeId, completeObjectId } from './short-ids.ts'
import { LATEST_NOW, timestamp } from '../../engine/core/timestamp.ts'
import {
  parsePaymentKind,
  parsePaymentOutcome,
  startPayment,
  usualOutcome,
} from '../../engine/payments/play.ts'

export const playPayment: ControlOperation<'playPayment'> = ({ query, body }, given) => {
  const context = withSeed(query.seed, given)
  const { payment, writes } = startPayment(
    { ...completeParties(body, context), pace: parsePace(body, context.now()) },
    context,
  )
  return performInEpoch(
    (actions) => actions.play(payment, writes),
    () => reply(201, toPaymentRecord(findPayment(payment.id, context), context)),
  )
}

export const listPayments: ControlOperation<'listPayments'> = readPastOrPresent(({ query }, context) => {
  const { view } = context
  const { older, end, next_cursor } = placeOfPage(view.paymentCount(), query)
  const payments = view.paymentsBetween(older, end).map((payment) => toPaymentRecord(payment, context))
  return reply(200, { payments, older, next_cursor })
})

export const getPayment: ControlOperation<'getPayment'> = readPastOrPresent(({ path }, context) =>
  reply(200, toPaymentRecord(findPayment(path.id, context), context)),
)

export const takePaymentStep: ControlOperation<'takePaymentStep'> = ({ path, query }, given) => {
  const context = withSeed(query.seed, given)
  const present = findPayment(path.id, context)
  if (present.step === present.steps) {
    throw new ApiError(
      'conflict',
      `Cannot continue payment "${present.id}": all its ${present.steps} steps are done`,
    )
  }
  const { payment, writes } = continuePayment(present, context)
  const objects = writes.filter((write) => write.kind === 'object')
  return reply(200, toPaymentRecord(payment, withPendingWrites(context, objects)), writes)
}

function findPayment(id: string, { view }: ControlContext): Payment {
  const payment = view.payment(id) ?? view.payment(completeId(id, view.paymentIdsBeginning))
  if (payment) return payment
  throw notFoundError('payment', id, 'payments')
}

function completeParties(
  { item, user, ...rest }: Api.PlayRequest,
  { view }: ControlContext,
): Api.PlayRequest {
  return {
    ...rest,
    ...(item !== undefined && { item: completeObjectId(item, view, { types: ['items'], field: 'item' }) }),
    ...(user !== undefined && { user: completeObjectId(user, view, { types: ['users'], field: 'user' }) }),
  }
}

const MAX_STEPS = Math.max(...paymentKinds.map((kind) => paymentSteps(kind, '').length))

function parsePace({ pace }: Api.PlayRequest, now: number): PaymentPace | undefined {
  if (pace === undefined || pace === 'instant' || pace === 'stepwise') return pace
  const gapMs = parseDuration(pace)
  if (gapMs !== undefined && now + MAX_STEPS * gapMs <= LATEST_NOW) return gapMs
  return refuseField(
    'pace',
    `Cannot play at pace "${pace}": the pace must be instant, stepwise or a duration such as 10m`,
  )
}

export function toPaymentRecord(
  { participants, objects, next_due_at, created_at: _, moves, ...payment }: Payment,
  { view }: Pick<ControlContext, 'view'>,
): Api.Payment {
  const rows = [...Object.entries(participants), ...Object.entries(objects)].flatMap(([role, id]) => {
    const object_type = isParticipantRole(role) ? PARTICIPANT_TYPES[role] : (role.split('/')[0] ?? '')
    if (!isNotifiedType(object_type)) return []
    const object = view.object(object_type, id)
    return [{ role, object_type, id, state: object ? objectState(object_type, object.body) : null }]
  })
  // Lists an object once, as a participant, if it is both a participant and a notified object.
  const unique = new Map(rows.toReversed().map((row) => [`${row.object_type}/${row.id}`, row]))
  return {
    ...payment,
    next_due_at: next_due_at === null ? null : timestamp(next_due_at),
    moves: moves.map(({ step, at, objects: moved }) => ({
      step,
      at: timestamp(at),
      objects: moved.map((object) => ({ ...object })),
    })),
    objects: [...unique.values()],
  }
}

export const listPaymentKinds: ControlOperation<'listPaymentKinds'> = (_, { readings }) =>
  reply(200, { kinds: paymentKinds.map((kind) => toKindInfo(kind, readings())) })

function toKindInfo(kind: PaymentKind, readings: ReadingValues): Api.PaymentKindInfo {
  const { about, source } = paymentRows[kind]
  return {
    kind,
    about,
    source,
    pays_item: paysItem(kind),
    forms: [...paymentForms(kind)],
    endings: paymentOutcomes(kind).map((outcome) => ({
      outcome,
      notifications: listNotifications(kind, outcome).map((each) => ({
        ...each,
        happens: isNotified(each, readings),
      })),
    })),
  }
}

export const listNextOutcomes: ControlOperation<'listNextOutcomes'> = readPastOrPresent((_, { view }) =>
  reply(200, { next_outcomes: view.nextOutcomes() }),
)

export const setNextOutcome: ControlOperation<'setNextOutcome'> = ({ body }) => {
  const kind = parsePaymentKind(body.kind, 'decide the next')
  const outcome = parsePaymentOutcome(kind, body.outcome)
  return reply(200, { kind, outcome }, [{ kind: 'next-outcome', payment_kind: kind, outcome }])
}

export const clearNextOutcomes: ControlOperation<'clearNextOutcomes'> = ({ query }, { view }) => {
  const only = query.kind === undefined ? undefined : parsePaymentKind(query.kind, 'clear the next')
  const chosen = view.nextOutcomes().filter(({ kind }) => only === undefined || kind === only)
  return reply(
    200,
    { next_outcomes: chosen },
    chosen.map(({ kind }) => usualOutcome(kind)),
  )
}
