import type { RehearsalDelivery } from '../../spec/generated/control-types.ts'
import type { Branch } from './branches.ts'
import { DELIVERY_MARKS, type DeliveryMarks, type PlannedDelivery } from './rehearsal.ts'

export const MARK_OPTIONS: { readonly [Mark in keyof DeliveryMarks]-?: string } = {
  lose: '--lose',
  break_answer: '--break-answer',
  late: '--late',
  callback: '--callback',
}

const MARK_WORDS: { readonly [Mark in keyof DeliveryMarks]-?: string } = {
  lose: 'lost',
  break_answer: 'its answer lost',
  late: 'a day late',
  callback: 'also as a callback',
}

/** Returns a text such as "transactions successful, then items pending (lost)". */
export function describeDeliveries(
  deliveries: readonly PlannedDelivery[],
  { parts }: Pick<Branch, 'parts'>,
): string {
  return deliveries
    .map((delivery) => {
      const part = parts[delivery.place]
      const words = marksOf(delivery).map((mark) => MARK_WORDS[mark])
      return `${part?.type} ${part?.state}${words.length === 0 ? '' : ` (${words.join(', ')})`}`
    })
    .join(', then ')
}

/** Returns options such as `--order 2,1,1 --lose @2`. */
export function formatOrder(deliveries: readonly RehearsalDelivery[]): string {
  const order = deliveries.map(({ number }) => number).join()
  const marks = DELIVERY_MARKS.flatMap((mark) => {
    const places = deliveries.flatMap((delivery, index) => (delivery[mark] === true ? [`@${index + 1}`] : []))
    return places.length === 0 ? [] : [`${MARK_OPTIONS[mark]} ${places.join()}`]
  })
  return [`--order ${order}`, ...marks].join(' ')
}

export function toNumbered(
  deliveries: readonly PlannedDelivery[],
  { parts }: Pick<Branch, 'parts'>,
): readonly RehearsalDelivery[] {
  return deliveries.map(({ place, ...marks }) => ({ number: parts[place]?.number ?? 0, ...marks }))
}

export function toPlanned({ number: _, ...marks }: RehearsalDelivery, place: number): PlannedDelivery {
  const set = DELIVERY_MARKS.filter((mark) => marks[mark] === true)
  return { place, ...Object.fromEntries(set.map((mark) => [mark, true] as const)) }
}

function marksOf(delivery: DeliveryMarks): readonly (keyof DeliveryMarks)[] {
  return DELIVERY_MARKS.filter((mark) => delivery[mark] === true)
}

/** Returns copies of the delivery, each without one of its marks. */
export function withOneMarkLess(delivery: PlannedDelivery): readonly PlannedDelivery[] {
  return marksOf(delivery).map((mark) => {
    const { [mark]: _, ...rest } = delivery
    return rest
  })
}
