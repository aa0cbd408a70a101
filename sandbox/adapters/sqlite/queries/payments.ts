import { isParticipantRole, PARTICIPANT_TYPES, type PaymentKind } from '../../../../spec/payments.ts'
import type { NextOutcomeHead } from '../../../engine/state/entries.ts'
import type { Payment } from '../../../engine/state/payment.ts'
import type { PaymentView } from '../../../engine/state/view.ts'
import type { Values } from '../sql.ts'
import type { World } from './world.ts'

export function putPayment(world: World, payment: Payment): void {
  const { id, next_due_at, participants, objects } = payment
  world.run(
    `INSERT INTO payments (world, ordinal, id, next_due_at, payment)
     VALUES (?1, (SELECT coalesce(max(ordinal) + 1, 0) FROM payments WHERE world = ?1), ?2, ?3, ?4)
     ON CONFLICT (world, id) DO UPDATE SET next_due_at = excluded.next_due_at, payment = excluded.payment`,
    [id, next_due_at, JSON.stringify(payment)],
  )
  for (const [role, object] of Object.entries({ ...participants, ...objects })) {
    const type = isParticipantRole(role) ? PARTICIPANT_TYPES[role] : (role.split('/')[0] ?? '')
    world.run(
      `INSERT OR IGNORE INTO payment_objects (world, type, id, payment)
       VALUES (?1, ?2, ?3, (SELECT ordinal FROM payments WHERE world = ?1 AND id = ?4))`,
      [type, object, id],
    )
  }
}

export function setNextOutcome(
  world: World,
  { payment_kind, outcome }: NextOutcomeHead,
  position: number,
): void {
  if (outcome === null)
    world.run('DELETE FROM next_outcomes WHERE world = ? AND payment_kind = ?', [payment_kind])
  else
    world.run(
      `INSERT INTO next_outcomes (world, payment_kind, number, outcome) VALUES (?, ?, ?, ?)
       ON CONFLICT (world, payment_kind) DO UPDATE SET outcome = excluded.outcome`,
      [payment_kind, position, outcome],
    )
}

const OF_OBJECT = `
  SELECT payments.payment FROM payment_objects
  JOIN payments ON payments.world = payment_objects.world AND payments.ordinal = payment_objects.payment
  WHERE payment_objects.world = ? AND type = ? AND payment_objects.id = ? ORDER BY payment_objects.payment`

export function createPaymentView(world: World): PaymentView {
  const list = (text: string, values: Values = []) =>
    world.column<string>(text, values).map((payment): Payment => JSON.parse(payment))

  const nextOutcomes = () => {
    const rows = world.all<{ payment_kind: PaymentKind; outcome: string }>(
      'SELECT payment_kind, outcome FROM next_outcomes WHERE world = ? ORDER BY number',
    )
    return new Map(rows.map(({ payment_kind, outcome }) => [payment_kind, outcome]))
  }

  return {
    payment: (id) => list('SELECT payment FROM payments WHERE world = ? AND id = ?', [id])[0],
    paymentAt: (ordinal) =>
      list('SELECT payment FROM payments WHERE world = ? AND ordinal = ?', [ordinal])[0],
    paymentCount: () => world.value('SELECT coalesce(max(ordinal) + 1, 0) FROM payments WHERE world = ?'),
    paymentsBetween: (start, end) =>
      list('SELECT payment FROM payments WHERE world = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal', [
        start,
        end,
      ]),
    duePayments: () =>
      list(
        `SELECT payment FROM payments INDEXED BY payments_by_due_time
         WHERE world = ? AND next_due_at IS NOT NULL ORDER BY ordinal`,
      ),
    paymentIdsBeginning: (start) =>
      world.column('SELECT id FROM payments WHERE world = ? AND id >= ? AND id < ? ORDER BY ordinal', [
        start,
        `${start}\u{10FFFF}`,
      ]),
    paymentOf: (objectType, id) => list(`${OF_OBJECT} LIMIT 1`, [objectType, id])[0],
    paymentsOf: (objectType, id) => list(OF_OBJECT, [objectType, id]),
    paymentOrdinal: (id) =>
      world.value<number | undefined>('SELECT ordinal FROM payments WHERE world = ? AND id = ?', [id]) ?? -1,
    nextOutcome: (kind) => nextOutcomes().get(kind),
    nextOutcomes,
  }
}
