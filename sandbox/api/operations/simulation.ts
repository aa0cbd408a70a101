import type { OperationId } from '../../../spec/generated/service-operations.ts'
import type { BatchTransaction, Disbursement } from '../../../spec/generated/service-types.ts'
import { objectId, objectState } from '../../../spec/models.ts'
import type { ObjectByType } from '../../../spec/notifications.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import { uuidFor } from '../../engine/objects/draws.ts'
import { changeFields } from '../../engine/objects/objects.ts'
import { nextStates } from '../../engine/objects/transitions.ts'
import { simulatedTransition } from '../../engine/payments/manual-transition.ts'
import { listUnsettledPayments, type UnsettledPayment } from '../../engine/payments/settlement.ts'
import { continuePayment, followsBatch } from '../../engine/payments/take-step.ts'
import { withPendingWrites } from '../../engine/objects/pending-writes.ts'
import { reply, type Context, type Operation } from './operation.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type { Write } from '../../engine/state/entries.ts'

const WAITING: ReadonlySet<string> = new Set(['batched', 'bank_processing', 'bpay_pending'])

const SIMULATED: ReadonlySet<string> = new Set<OperationId>(['exportTransactions', 'moveTransactionStates'])

/** Returns true if the service does not offer the operation in this environment. Readings: environment, pre-live-simulation */
export function isLacking(operation: string, readings: Pick<ReadingValues, 'environment'>): boolean {
  return SIMULATED.has(operation) && readings.environment === 'production'
}

export const exportTransactions: Operation<'exportTransactions'> = (_, context) => {
  const { view } = context
  const batches = [...view.objectIds('batch_transactions')].flatMap((id) => {
    const batch = view.object('batch_transactions', id)?.body
    return batch && WAITING.has(batch.state) ? [fromBatch(batch)] : []
  })
  const payouts = [...view.objectIds('disbursements')].flatMap((id) => {
    const payout = findPayout(id, context)
    return payout && WAITING.has(payout.state) ? [fromPayout(payout)] : []
  })
  const unsettled = listUnsettledPayments(context).map(fromUnsettled)
  const transactions = [...batches, ...payouts, ...unsettled].map(({ id, batch_id, type, type_method }) => ({
    id,
    batch_id: batchUuid(batch_id),
    status: 'batched' as const,
    type,
    type_method,
  }))
  return reply(200, { transactions })
}

/** Derives a batch's UUID from its number, because objects contain only the number. Reading: pre-live-simulation */
const batchUuid = (batch_id: number | null) => uuidFor(`batch ${batch_id ?? 0}`)

const STATE_BY_CODE: Readonly<Record<number, string>> = { 12700: 'bank_processing', 12000: 'successful' }

export const moveTransactionStates: Operation<'moveTransactionStates'> = ({ path, body }, context) => {
  const state = STATE_BY_CODE[body.state] ?? ''
  const writes: Write[] = []
  const errors: string[] = []
  for (const id of body.exported_ids) {
    const pending = withPendingWrites(
      context,
      writes.filter((write) => write.kind === 'object'),
    )
    const exported = findExported(id, pending)
    if (!exported || !isNamed(exported.batch_id, path.batch_id)) {
      errors.push(`${id}: not in batch ${path.batch_id}`)
      continue
    }
    const move = exported.moveTo(state, pending)
    writes.push(...move.writes)
    if (move.problem !== undefined) errors.push(`${id}: ${move.problem}`)
  }
  const count = body.exported_ids.length - errors.length
  const msg = `${count} moved to ${state}, ${errors.length} did not`
  return reply(200, { aggregated_jobs_uuid: context.newId(), msg, errors }, writes)
}

/** Returns true if `name` is the batch's UUID from the export, or the batch number that the objects contain. */
function isNamed(batch_id: number | null, name: string): boolean {
  return name.toLowerCase() === batchUuid(batch_id) || name === String(batch_id ?? 0)
}

interface Exported {
  readonly id: string
  readonly batch_id: number | null
  readonly type: string
  readonly type_method: string
  readonly moveTo: (state: string, context: Context) => Move
}

/** The writes that move an object to another state. `problem` is set if the object cannot reach the requested state. */
interface Move {
  readonly writes: readonly Write[]
  readonly problem?: string
}

function findExported(id: string, context: Context): Exported | undefined {
  const batch = context.view.object('batch_transactions', id)?.body
  if (batch) return fromBatch(batch)
  const payout = findPayout(id, context)
  if (payout) return fromPayout(payout)
  const unsettled = listUnsettledPayments(context).find((each) => each.id === id)
  return unsettled && fromUnsettled(unsettled)
}

/** Finds a waiting realtime payout. Other payouts change state with their batch. Readings: settlement, payout-disbursements */
function findPayout(id: string, { view, readings }: Context): Disbursement | undefined {
  if (followsBatch('disbursements', id, view)) return undefined
  return readings().settlement === 'at-once' ? undefined : view.object('disbursements', id)?.body
}

function fromBatch(batch: BatchTransaction): Exported {
  const { batch_id, type, type_method } = batch
  const id = objectId('batch_transactions', batch)
  return { id, batch_id, type, type_method, moveTo: mover('batch_transactions', batch) }
}

function fromPayout(payout: Disbursement): Exported {
  const { id, batch_id } = payout
  const kind = { type: 'disbursement', type_method: 'npp_payout' }
  return { id, batch_id, ...kind, moveTo: mover('disbursements', payout) }
}

/** The batch transaction is created only when the payment succeeds, so an earlier state needs no write. Source: §3 */
function fromUnsettled({ id, payment, notification }: UnsettledPayment): Exported {
  const { type = '', type_method = '' } = notification
  const moveTo = (state: string, context: Context) => ({
    writes: state === notification.state ? continuePayment(payment, context).writes : [],
  })
  return { id, batch_id: null, type, type_method, moveTo }
}

function mover<Type extends 'batch_transactions' | 'disbursements'>(
  object_type: Type,
  object: ObjectByType[Type],
): Exported['moveTo'] {
  return (state, context) => {
    if (!nextStates(object_type, object)?.includes(state))
      return { writes: [], problem: `${objectState(object_type, object)} cannot change to ${state}` }
    const transition = { object_type, id: objectId(object_type, object), state }
    const together = simulatedTransition(transition, context)
    if (together && together.state !== state)
      return {
        writes: together.writes,
        problem: `gets the state ${together.state}, which was chosen for this payment`,
      }
    if (together) return { writes: together.writes }
    const moved = changeFields(object_type, object, { fields: { state }, now: timestamp(context.now()) })
    return { writes: [{ kind: 'object', object_type, object: moved }] }
  }
}
