import type { RehearsalDelivery } from '../../../spec/generated/control-types.ts'

/** A delivery in an order that the user edits. The editor shows each delivery as a chip. */
export interface Chip {
  /** The id of the chip, which does not change when the user moves the chip. */
  readonly id: number
  /** The number of the notification in the payment, counted from 1. */
  readonly number: number
  readonly marks: string
}

export type DeliveryOrder = readonly Chip[]

/** The marks of a delivery. Each mark has a key, a rehearsal field and a text. The key is also the letter in the address. */
export const MARKS = [
  ['x', 'lose', 'is lost'],
  ['b', 'break_answer', 'loses its answer'],
  ['l', 'late', 'arrives a day late'],
  ['c', 'callback', 'is also sent as a callback'],
] as const

const MAX_CHIPS = 40

/** Parses an order from the address, such as `2-1x-1`. The order is empty if the text is invalid. */
export function createOrder(word: string): DeliveryOrder {
  const parts = word.split('-').map((part) => /^([1-9]\d{0,2})([xblc]*)$/.exec(part))
  const chips = parts.flatMap((part, id) => {
    const [, number, marks = ''] = part ?? []
    return number === undefined ? [] : [{ id, number: Number(number), marks }]
  })
  return chips.length === parts.length && chips.length <= MAX_CHIPS ? chips : []
}

export function toDeliveries(order: DeliveryOrder): RehearsalDelivery[] {
  return order.map(({ number, marks }) => ({
    number,
    ...Object.fromEntries(
      MARKS.flatMap(([key, field]) => (marks.includes(key) ? [[field, true] as const] : [])),
    ),
  }))
}

export function formatOrderWord(deliveries: readonly RehearsalDelivery[]): string {
  return deliveries
    .map((each) => each.number + MARKS.flatMap(([key, field]) => (each[field] === true ? key : [])).join(''))
    .join('-')
}

export function moveChip(order: DeliveryOrder, chip: Chip, to: number): DeliveryOrder {
  const place = Math.min(Math.max(to, 0), order.length - 1)
  return order.filter((each) => each !== chip).toSpliced(place, 0, chip)
}

export function toggleMark(order: DeliveryOrder, chip: Chip, key: string): DeliveryOrder {
  const marks = chip.marks.includes(key) ? chip.marks.replace(key, '') : chip.marks + key
  return order.map((each) => (each === chip ? { ...chip, marks } : each))
}

export function isDuplicated(order: DeliveryOrder, chip: Chip): boolean {
  return order.some((each) => each.number === chip.number && each !== chip)
}

/** Adds another delivery of the chip's notification after the chip. If such a copy exists, removes all copies instead. */
export function toggleTwice(order: DeliveryOrder, chip: Chip): DeliveryOrder {
  if (isDuplicated(order, chip)) return order.filter((each) => each === chip || each.number !== chip.number)
  if (order.length === MAX_CHIPS) return order
  const copy = { ...chip, id: Math.max(...order.map(({ id }) => id)) + 1, marks: '' }
  return order.toSpliced(order.indexOf(chip) + 1, 0, copy)
}

export function describeChip(order: DeliveryOrder, chip: Chip): readonly string[] {
  const words = MARKS.flatMap(([key, _, text]) => (chip.marks.includes(key) ? text : []))
  return isDuplicated(order, chip) ? ['comes twice', ...words] : words
}
