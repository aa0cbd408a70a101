import type { RehearsalDelivery } from '../../../spec/generated/control-types.ts'

/** A delivery of an order that is edited. */
export interface Chip {
  /** Stays the same wherever it is moved. */
  readonly id: number
  /** Which notification of the payment. */
  readonly number: number
  /** The letters of what becomes of it. */
  readonly marks: string
}

export type Order = readonly Chip[]

/** What may become of a delivery: its key, which stands for it in the address, too, its field in a rehearsal, and what it says. */
export const MARKS = [
  ['x', 'lose', 'is lost'],
  ['b', 'break_answer', 'loses its answer'],
  ['l', 'late', 'comes a day late'],
  ['c', 'callback', 'comes as callback, too'],
] as const

/** As many as a rehearsal takes. */
const MOST_CHIPS = 40

/** The order of an address, such as `2-1x-1`; empty for what is none. */
export function createOrder(word: string): Order {
  const parts = word.split('-').map((part) => /^([1-9]\d{0,2})([xblc]*)$/.exec(part))
  const chips = parts.flatMap((part, id) => {
    const [, number, marks = ''] = part ?? []
    return number === undefined ? [] : [{ id, number: Number(number), marks }]
  })
  return chips.length === parts.length && chips.length <= MOST_CHIPS ? chips : []
}

export function toDeliveries(order: Order): RehearsalDelivery[] {
  return order.map(({ number, marks }) => ({
    number,
    ...Object.fromEntries(
      MARKS.flatMap(([key, field]) => (marks.includes(key) ? [[field, true] as const] : [])),
    ),
  }))
}

/** Such as `2-1x-1`. */
export function formatDeliveries(deliveries: readonly RehearsalDelivery[]): string {
  return deliveries
    .map((each) => each.number + MARKS.flatMap(([key, field]) => (each[field] === true ? key : [])).join(''))
    .join('-')
}

/** `to` is the place that it has afterwards; the nearest one where there is none. */
export function moveChip(order: Order, chip: Chip, to: number): Order {
  const place = Math.min(Math.max(to, 0), order.length - 1)
  return order.filter((each) => each !== chip).toSpliced(place, 0, chip)
}

export function toggleMark(order: Order, chip: Chip, key: string): Order {
  const marks = chip.marks.includes(key) ? chip.marks.replace(key, '') : chip.marks + key
  return order.map((each) => (each === chip ? { ...chip, marks } : each))
}

/** Whether its notification comes once more elsewhere in the order. */
export function comesTwice(order: Order, chip: Chip): boolean {
  return order.some((each) => each.number === chip.number && each !== chip)
}

/** A copy follows it; where there are copies already, they go. */
export function toggleTwice(order: Order, chip: Chip): Order {
  if (comesTwice(order, chip)) return order.filter((each) => each === chip || each.number !== chip.number)
  if (order.length === MOST_CHIPS) return order
  const copy = { ...chip, id: Math.max(...order.map(({ id }) => id)) + 1, marks: '' }
  return order.toSpliced(order.indexOf(chip) + 1, 0, copy)
}

/** What becomes of it, in words. */
export function describeChip(order: Order, chip: Chip): readonly string[] {
  const words = MARKS.flatMap(([key, _, text]) => (chip.marks.includes(key) ? text : []))
  return comesTwice(order, chip) ? ['comes twice', ...words] : words
}
