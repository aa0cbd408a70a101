import { isParticipantRole, PARTICIPANT_TYPES } from '../../../../spec/payments.ts'
import type { Payment } from '../entries.ts'
import type { Values } from '../sql.ts'
import { countRows, createDueView, idsBeginning } from './lists.ts'
import type { StoredWorld } from './world.ts'

export function putPayment(world: StoredWorld, payment: Payment): void {
  const { id, next_due_at, participants, objects } = payment
  world.run(
    `INSERT INTO payments (world, ordinal, id, next_due_at, payment)
     VALUES (?, (SELECT coalesce(max(ordinal) + 1, 0) FROM payments WHERE world = ?), ?, ?, ?)
     ON CONFLICT (world, id) DO UPDATE SET next_due_at = excluded.next_due_at, payment = excluded.payment`,
    [world.number, id, next_due_at, JSON.stringify(payment)],
  )
  for (const [role, object] of Object.entries({ ...participants, ...objects })) {
    const type = isParticipantRole(role) ? PARTICIPANT_TYPES[role] : (role.split('/')[0] ?? '')
    world.run(
      `INSERT OR IGNORE INTO payment_objects (world, type, id, payment)
       VALUES (?, ?, ?, (SELECT ordinal FROM payments WHERE world = ? AND id = ?))`,
      [type, object, world.number, id],
    )
  }
}

const OF_OBJECT = `
  SELECT payments.payment FROM payment_objects
  JOIN payments ON payments.world = payment_objects.world AND payments.ordinal = payment_objects.payment
  WHERE payment_objects.world = ? AND type = ? AND payment_objects.id = ? ORDER BY payment_objects.payment`

export function createPaymentView(world: StoredWorld) {
  const due = createDueView(world, 'payments')
  const list = (text: string, values: Values = []) =>
    world.column<string>(text, values).map((payment): Payment => JSON.parse(payment))

  return {
    payment: (id: string): Payment | undefined =>
      list('SELECT payment FROM payments WHERE world = ? AND id = ?', [id])[0],
    paymentAt: (ordinal: number): Payment | undefined =>
      list('SELECT payment FROM payments WHERE world = ? AND ordinal = ?', [ordinal])[0],
    paymentCount: () => countRows(world, 'payments'),
    /** Returns a range of payments, in the order of creation. `start` is zero-based, and `end` is exclusive. */
    paymentsBetween: (start: number, end: number) =>
      list('SELECT payment FROM payments WHERE world = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal', [
        start,
        end,
      ]),
    duePayments: due.due,
    nextPaymentDueAt: due.nextDueAt,
    paymentIdsBeginning: (start: string) => idsBeginning(world, 'payments', start),
    /** Returns the first payment of an object. `id` must be the stored id of the object. */
    paymentOf: (objectType: string, id: string): Payment | undefined =>
      list(`${OF_OBJECT} LIMIT 1`, [objectType, id])[0],
    paymentsOf: (objectType: string, id: string) => list(OF_OBJECT, [objectType, id]),
    /** Returns the number of a payment, counted from 0. Returns -1 for an unknown payment. */
    paymentOrdinal: (id: string) =>
      world.value<number | undefined>('SELECT ordinal FROM payments WHERE world = ? AND id = ?', [id]) ?? -1,
  }
}
