import { createHash } from 'node:crypto'
import type { OperationId } from '../../../spec/generated/service-operations.ts'
import type { BatchTransaction } from '../../../spec/generated/service-types.ts'
import { objectId } from '../../../spec/models.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import { changeFields } from '../../engine/objects/objects.ts'
import { nextStates } from '../../engine/objects/transitions.ts'
import { manualTransition } from '../../engine/payments/manual-transition.ts'
import { withPendingWrites } from '../../engine/objects/pending-writes.ts'
import { reply, type Context, type Operation } from './operation.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type { Write } from '../../engine/state/write.ts'

/** The states in which a batch transaction waits for something. */
const WAITING: ReadonlySet<string> = new Set(['batched', 'bank_processing', 'bpay_pending'])

const SIMULATED: ReadonlySet<string> = new Set<OperationId>(['exportTransactions', 'moveTransactionStates'])

/** Whether the environment is without the operation. Readings: environment, pre-live-simulation */
export function isLacking(operation: string, { environment }: Pick<ReadingValues, 'environment'>): boolean {
  return environment === 'production' && SIMULATED.has(operation)
}

export const exportTransactions: Operation<'exportTransactions'> = (_, context) => {
  const transactions = [...context.view.objectIds('batch_transactions')].flatMap((id) => {
    const batch = context.view.object('batch_transactions', id)?.body
    if (!batch || !WAITING.has(batch.state)) return []
    const { batch_id, type, type_method } = batch
    return [{ id, batch_id: batchUuid(batch_id), status: 'batched' as const, type, type_method }]
  })
  return reply(200, { transactions })
}

/** Names a batch, whose number its objects show: the same number has the same UUID, of version 8. Reading: pre-live-simulation */
function batchUuid(batch_id: number | null): string {
  const hex = createHash('sha256')
    .update(`batch ${batch_id ?? 0}`)
    .digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

const STATE_BY_CODE: Readonly<Record<number, string>> = { 12700: 'bank_processing', 12000: 'successful' }

/** Moves what can be moved, and says of the rest why not. */
export const moveTransactionStates: Operation<'moveTransactionStates'> = ({ path, body }, context) => {
  const state = STATE_BY_CODE[body.state] ?? ''
  const writes: Write[] = []
  const errors: string[] = []
  for (const id of body.exported_ids) {
    const pending = withPendingWrites(
      context,
      writes.filter((write) => write.kind === 'object'),
    )
    const batch = pending.view.object('batch_transactions', id)?.body
    if (!batch || !isNamed(batch.batch_id, path.batch_id)) errors.push(`${id}: not in batch ${path.batch_id}`)
    else if (!nextStates('batch_transactions', batch)?.includes(state))
      errors.push(`${id}: ${batch.state} does not become ${state}`)
    else writes.push(...moveBatch(batch, state, pending))
  }
  const count = body.exported_ids.length - errors.length
  const msg = `${count} moved to ${state}, ${errors.length} not`
  return reply(200, { aggregated_jobs_uuid: context.newId(), msg, errors }, writes)
}

/** By the UUID of the export, or by the number that the objects of the batch show. */
function isNamed(batch_id: number | null, name: string): boolean {
  return name.toLowerCase() === batchUuid(batch_id) || name === String(batch_id ?? 0)
}

/** With all that goes with it in its payment, or else the batch transaction alone. */
function moveBatch(batch: BatchTransaction, state: string, context: Context): readonly Write[] {
  const id = objectId('batch_transactions', batch)
  const together = manualTransition({ object_type: 'batch_transactions', id, state }, context)
  if (together) return together
  const object = changeFields('batch_transactions', batch, {
    fields: { state },
    now: timestamp(context.now()),
  })
  return [{ kind: 'object', object_type: 'batch_transactions', object }]
}
