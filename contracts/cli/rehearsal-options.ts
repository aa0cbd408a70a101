import type { RehearsalDelivery } from '../../spec/generated/control-types.ts'
import { UsageError, wholeNumber } from '../../sandbox/internal.ts'
import { DELIVERY_MARKS, type DeliveryMarks } from '../toolkit/scenario.ts'
import { MARK_OPTIONS, parseKind, type RehearsalWish } from '../toolkit/rehearsal-plan.ts'

export interface OrderFlags {
  readonly order?: string
  readonly lose?: readonly string[]
  readonly breakAnswer?: readonly string[]
  readonly late?: readonly string[]
  readonly callback?: readonly string[]
  readonly outcome?: string
  readonly via?: string
  readonly amount?: string
  readonly pace?: 'stepwise' | 'instant'
}

const MOST_DELIVERIES = 40

/** Parses the payment without its order. Throws UsageError with a remedy. */
export function parsePayment(kind: string, flags: OrderFlags): RehearsalWish {
  const { outcome, via, amount, pace } = flags
  return {
    kind: parseKind(kind),
    ...(outcome !== undefined && { outcome }),
    ...(via !== undefined && { via }),
    ...(amount !== undefined && { amount: wholeNumber('amount', amount, { least: 1, most: 2 ** 31 - 1 }) }),
    ...(pace !== undefined && { pace }),
  }
}

/** `documented` is the default order. Throws UsageError with a remedy. */
export function parseDeliveries(
  flags: OrderFlags,
  documented: readonly number[],
): readonly RehearsalDelivery[] {
  const numbers = flags.order === undefined ? documented : parseOrder(flags.order)
  const marks = DELIVERY_MARKS.flatMap((mark) =>
    (flagOf(mark, flags) ?? [])
      .flatMap((text) => text.split(','))
      .map((text) => ({ mark, place: parsePlace(text, mark, numbers.length) })),
  )
  return numbers.map((number, index) => {
    const own = marks.filter(({ place }) => place === index)
    return { number, ...Object.fromEntries(own.map(({ mark }) => [mark, true] as const)) }
  })
}

function flagOf(mark: keyof DeliveryMarks, { lose, breakAnswer, late, callback }: OrderFlags) {
  return { lose, break_answer: breakAnswer, late, callback }[mark]
}

function parseOrder(text: string): readonly number[] {
  const numbers = text.split(',').map((each) => each.trim())
  const wrong = numbers.find((each) => !/^[1-9]\d{0,2}$/.test(each))
  if (wrong !== undefined) {
    throw new UsageError(
      `Cannot use --order "${text}": it takes numbers of notifications, such as 2,1,1. "npx hookbench play KIND --dry" lists them`,
    )
  }
  if (numbers.length > MOST_DELIVERIES) {
    throw new UsageError(
      `Cannot use --order with ${numbers.length} deliveries: it takes ${MOST_DELIVERIES} at most`,
    )
  }
  return numbers.map(Number)
}

/** `@2` is the second delivery of the order. */
function parsePlace(text: string, mark: keyof DeliveryMarks, count: number): number {
  const [, digits] = /^@([1-9]\d{0,2})$/.exec(text.trim()) ?? []
  const place = Number(digits) - 1
  if (digits !== undefined && place < count) return place
  throw new UsageError(
    digits === undefined
      ? `Cannot use ${MARK_OPTIONS[mark]} "${text}": it takes deliveries of the order, such as @2 for the second`
      : `Cannot use ${MARK_OPTIONS[mark]} "${text}": the order has ${count} ${count === 1 ? 'delivery' : 'deliveries'}`,
  )
}
