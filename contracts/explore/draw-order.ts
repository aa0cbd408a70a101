import type { Branch } from '../toolkit/branches.ts'
import type { DeliveryPlan } from '../explored-case.ts'
import { shuffle } from '../toolkit/sequences.ts'

export const ORDERS = [
  'documented',
  'reversed',
  'shuffled',
  'repeated',
  'at-once',
  'early-again',
  'only-last',
  'stops-early',
  'both-generations',
] as const
export type OrderKind = (typeof ORDERS)[number]

type Step = Omit<DeliveryPlan, 'of' | 'wire' | 'callBack' | 'restart'>

/** Draws a random order. Never omits the notification that the platform acts on, or the last about an object. */
export function drawOrder(
  branch: Branch,
  order: OrderKind,
  { random, callbackTypes }: { readonly random: () => number; readonly callbackTypes: readonly string[] },
): readonly Step[] {
  const all = [...branch.parts.keys()]
  const steps = (parts: readonly number[]): readonly Step[] => parts.map((part) => ({ part }))
  const together = (part: number, copies: number): readonly Step[] =>
    Array.from({ length: copies }, (_, copy) => (copy === 0 ? { part } : { part, together: true as const }))
  switch (order) {
    case 'documented':
      return steps(all)
    case 'reversed':
      return steps(all.toReversed())
    case 'shuffled':
      return steps(shuffle(all, random))
    case 'repeated':
      return steps(shuffle([...all, ...all], random))
    case 'at-once':
      return all.flatMap((part) => together(part, 2 + Math.floor(random() * 3)))
    case 'early-again':
      return steps([...all, ...all.filter((part) => part < all.length - 1 || all.length === 1)])
    case 'only-last':
      return steps(all.filter((part) => branch.parts[part]?.isLast === true || part === branch.deciding))
    case 'stops-early':
      return steps(all.slice(0, firstPartOfStep(branch, Math.floor(random() * stepCount(branch)) + 1)))
    case 'both-generations':
      return all.flatMap((part) =>
        callbackTypes.includes(branch.parts[part]?.type ?? '')
          ? [
              { part },
              { part, generation: 'callbacks' as const, ...(random() < 0.5 && { together: true as const }) },
            ]
          : [{ part }],
      )
    default:
      return order satisfies never
  }
}

const stepCount = ({ parts }: Branch) => (parts.at(-1)?.step ?? 0) + 1

function firstPartOfStep({ parts }: Branch, step: number): number {
  const count = parts.filter((part) => part.step < step).length
  return Math.max(1, count)
}

/** Merges the lists in random order, but keeps the order within each list. */
export function interleave<Item>(lists: readonly (readonly Item[])[], random: () => number): readonly Item[] {
  const turns = shuffle(
    lists.flatMap((list, index) => list.map(() => index)),
    random,
  )
  const next = lists.map(() => 0)
  return turns.flatMap((index) => {
    const place = next[index] ?? 0
    next[index] = place + 1
    return lists[index]?.slice(place, place + 1) ?? []
  })
}
