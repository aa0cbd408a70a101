import { isParticipantRole, PARTICIPANT_TYPES, type PaymentKind } from '../../../../spec/payments.ts'
import type { Payment } from '../../../engine/state/payment.ts'
import type { Sql } from '../sql.ts'

/** The payments of one world. */
export interface Payments {
  put(payment: Payment): void
  find(id: string): Payment | undefined
  at(ordinal: number): Payment | undefined
  /** The place of a payment among all, from 0; -1 for an unknown id. */
  ordinalOf(id: string): number
  count(): number
  /** In the order of creation, from the `start`th, counted from 0, to before the `end`th. */
  between(start: number, end: number): readonly Payment[]
  /** Those with a next step that has a time, in the order of creation. */
  due(): readonly Payment[]
  idsBeginning(start: string): readonly string[]
  /** Those that the object belongs to, by the id that the store keeps it by, oldest first. */
  of(objectType: string, id: string): readonly Payment[]
  /** The first of those. */
  firstOf(objectType: string, id: string): Payment | undefined
  setNextOutcome(kind: PaymentKind, outcome: string | null, position: number): void
  nextOutcome(kind: PaymentKind): string | undefined
  /** In the order of setting. */
  nextOutcomes(): ReadonlyMap<PaymentKind, string>
}

interface PaymentRow {
  readonly payment: string
}

const OF_OBJECT = `
  SELECT payments.payment FROM payment_objects
  JOIN payments ON payments.world = payment_objects.world AND payments.ordinal = payment_objects.payment
  WHERE payment_objects.world = ? AND type = ? AND payment_objects.id = ? ORDER BY payment_objects.payment`

export function createPayments(sql: Sql, world: number): Payments {
  const select = sql<PaymentRow>('SELECT payment FROM payments WHERE world = ? AND id = ?')
  const selectAt = sql<PaymentRow>('SELECT payment FROM payments WHERE world = ? AND ordinal = ?')
  const selectOrdinal = sql<{ ordinal: number }>('SELECT ordinal FROM payments WHERE world = ? AND id = ?')
  const selectCount = sql<{ count: number }>(
    'SELECT coalesce(max(ordinal) + 1, 0) AS count FROM payments WHERE world = ?',
  )
  const selectBetween = sql<PaymentRow>(
    'SELECT payment FROM payments WHERE world = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal',
  )
  const selectDue = sql<PaymentRow>(
    'SELECT payment FROM payments WHERE world = ? AND next_due_at IS NOT NULL ORDER BY ordinal',
  )
  const selectBeginning = sql<{ id: string }>(
    'SELECT id FROM payments WHERE world = ? AND id >= ? AND id < ? ORDER BY ordinal',
  )
  const selectOf = sql<PaymentRow>(OF_OBJECT)
  const selectFirstOf = sql<PaymentRow>(`${OF_OBJECT} LIMIT 1`)
  return {
    put: createPut(sql, world),
    find: (id) => toPayment(select.get(world, id)),
    at: (ordinal) => toPayment(selectAt.get(world, ordinal)),
    ordinalOf: (id) => selectOrdinal.get(world, id)?.ordinal ?? -1,
    count: () => selectCount.get(world)?.count ?? 0,
    between: (start, end) => toPayments(selectBetween.all(world, start, end)),
    due: () => toPayments(selectDue.all(world)),
    idsBeginning: (start) => selectBeginning.all(world, start, `${start}\u{10FFFF}`).map(({ id }) => id),
    of: (objectType, id) => toPayments(selectOf.all(world, objectType, id)),
    firstOf: (objectType, id) => toPayment(selectFirstOf.get(world, objectType, id)),
    ...createNextOutcomes(sql, world),
  }
}

const toPayment = (row: PaymentRow | undefined): Payment | undefined => row && JSON.parse(row.payment)
const toPayments = (rows: readonly PaymentRow[]): Payment[] => rows.map(({ payment }) => JSON.parse(payment))

function createPut(sql: Sql, world: number): Payments['put'] {
  const upsert = sql<{ ordinal: number }>(`
    INSERT INTO payments (world, ordinal, id, next_due_at, payment)
    VALUES (?1, (SELECT coalesce(max(ordinal) + 1, 0) FROM payments WHERE world = ?1), ?2, ?3, ?4)
    ON CONFLICT (world, id) DO UPDATE SET next_due_at = excluded.next_due_at, payment = excluded.payment
    RETURNING ordinal`)
  const insertObject = sql(
    'INSERT OR IGNORE INTO payment_objects (world, type, id, payment) VALUES (?, ?, ?, ?)',
  )
  return (payment) => {
    const { id, next_due_at, participants, objects } = payment
    const row = upsert.get(world, id, next_due_at, JSON.stringify(payment))
    for (const [role, object] of Object.entries({ ...participants, ...objects })) {
      const type = isParticipantRole(role) ? PARTICIPANT_TYPES[role] : (role.split('/')[0] ?? '')
      insertObject.run(world, type, object, row?.ordinal ?? 0)
    }
  }
}

function createNextOutcomes(
  sql: Sql,
  world: number,
): Pick<Payments, 'setNextOutcome' | 'nextOutcome' | 'nextOutcomes'> {
  const upsert = sql(`
    INSERT INTO next_outcomes (world, payment_kind, number, outcome) VALUES (?, ?, ?, ?)
    ON CONFLICT (world, payment_kind) DO UPDATE SET outcome = excluded.outcome`)
  const remove = sql('DELETE FROM next_outcomes WHERE world = ? AND payment_kind = ?')
  const select = sql<{ outcome: string }>(
    'SELECT outcome FROM next_outcomes WHERE world = ? AND payment_kind = ?',
  )
  const selectAll = sql<{ payment_kind: PaymentKind; outcome: string }>(
    'SELECT payment_kind, outcome FROM next_outcomes WHERE world = ? ORDER BY number',
  )
  return {
    setNextOutcome(kind, outcome, position) {
      if (outcome === null) remove.run(world, kind)
      else upsert.run(world, kind, position, outcome)
    },
    nextOutcome: (kind) => select.get(world, kind)?.outcome,
    nextOutcomes: () =>
      new Map(selectAll.all(world).map(({ payment_kind, outcome }) => [payment_kind, outcome])),
  }
}
