import { isParticipantRole, PARTICIPANT_TYPES, type PaymentKind } from '../../../../spec/payments.ts'
import type { NextOutcomeHead } from '../../../engine/state/entries.ts'
import type { Payment } from '../../../engine/state/payment.ts'
import type { PaymentView } from '../../../engine/state/view.ts'
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

interface Row {
  readonly payment: string
}

const OF_OBJECT = `
  SELECT payments.payment FROM payment_objects
  JOIN payments ON payments.world = payment_objects.world AND payments.ordinal = payment_objects.payment
  WHERE payment_objects.world = ? AND type = ? AND payment_objects.id = ? ORDER BY payment_objects.payment`

const toPayment = (row: Row): Payment => JSON.parse(row.payment)

export function createPaymentView(world: World): PaymentView {
  function find(condition: string, value: string | number): Payment | undefined {
    const row = world.get<Row>(`SELECT payment FROM payments WHERE world = ? AND ${condition}`, [value])
    return row && toPayment(row)
  }

  const nextOutcomes = () =>
    new Map(
      world
        .all<{ payment_kind: PaymentKind; outcome: string }>(
          'SELECT payment_kind, outcome FROM next_outcomes WHERE world = ? ORDER BY number',
        )
        .map(({ payment_kind, outcome }) => [payment_kind, outcome]),
    )

  return {
    payment: (id) => find('id = ?', id),
    paymentAt: (ordinal) => find('ordinal = ?', ordinal),
    paymentCount: () =>
      world.get<{ count: number }>(
        'SELECT coalesce(max(ordinal) + 1, 0) AS count FROM payments WHERE world = ?',
      )?.count ?? 0,
    paymentsBetween: (start, end) =>
      world
        .all<Row>(
          'SELECT payment FROM payments WHERE world = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal',
          [start, end],
        )
        .map(toPayment),
    duePayments: () =>
      world
        .all<Row>('SELECT payment FROM payments WHERE world = ? AND next_due_at IS NOT NULL ORDER BY ordinal')
        .map(toPayment),
    paymentIdsBeginning: (start) =>
      world
        .all<{ id: string }>(
          'SELECT id FROM payments WHERE world = ? AND id >= ? AND id < ? ORDER BY ordinal',
          [start, `${start}\u{10FFFF}`],
        )
        .map(({ id }) => id),
    paymentOf(objectType, id) {
      const row = world.get<Row>(`${OF_OBJECT} LIMIT 1`, [objectType, id])
      return row && toPayment(row)
    },
    paymentsOf: (objectType, id) => world.all<Row>(OF_OBJECT, [objectType, id]).map(toPayment),
    paymentOrdinal: (id) =>
      world.get<{ ordinal: number }>('SELECT ordinal FROM payments WHERE world = ? AND id = ?', [id])
        ?.ordinal ?? -1,
    nextOutcome: (kind) => nextOutcomes().get(kind),
    nextOutcomes,
  }
}
