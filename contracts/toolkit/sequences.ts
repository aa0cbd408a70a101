import type { Branch } from './branches.ts'

/**
 * The order in which the notifications of a payment arrive, as indexes. Notifications in one group arrive together. A repeated
 * notification is listed twice.
 */
export type Sequence = readonly (readonly number[])[]

export function oneByOne(...order: readonly number[]): Sequence {
  return order.map((part) => [part])
}

export function documentedSequence({ parts }: Pick<Branch, 'parts'>): Sequence {
  return oneByOne(...parts.keys())
}

/** Describes a sequence, such as "transactions successful, then batch_transactions successful". */
export function describeSequence(sequence: Sequence, { parts }: Pick<Branch, 'parts'>): string {
  const nameOf = (index: number) => `${parts[index]?.type} ${parts[index]?.state}`
  return sequence.map((group) => group.map(nameOf).join(' together with ')).join(', then ')
}

export function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length <= 1) return [items]
  return items.flatMap((first, place) =>
    permutations(items.toSpliced(place, 1)).map((rest) => [first, ...rest]),
  )
}

/** The probability that a notification is omitted, repeated or delayed, from 0 to 1. */
const CHANCE = 0.4

/** Draws a random order with repeated, late and missing notifications. The last notification about each object is never missing. */
export function drawSequence({ parts }: Pick<Branch, 'parts'>, random: () => number): readonly number[] {
  const happens = () => random() < CHANCE
  const all = [...parts.keys()]
  const early = all.filter((index) => parts[index]?.isLast === false)
  const kept = all.filter((index) => !early.includes(index) || !happens())
  const twice = kept.filter(happens)
  const late = early.filter(happens)
  return [...shuffle([...kept, ...twice], random), ...late]
}

export function shuffle<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const left = [...items]
  return items.flatMap(() => left.splice(Math.floor(random() * left.length), 1))
}

const MAX_TRIES = 60

export type Fails<Item> = (candidates: readonly (readonly Item[])[]) => Promise<readonly boolean[]>

/** Returns the shortest subsequence that fails, or the whole sequence. `failing` tests all candidates of one length together. */
export async function shortestFailing<Item>(
  sequence: readonly Item[],
  failing: Fails<Item>,
  isMeant: (candidate: readonly Item[]) => boolean = () => true,
): Promise<readonly Item[]> {
  let tries = 0
  for (let length = 1; length < sequence.length && tries < MAX_TRIES; length++) {
    const candidates: (readonly Item[])[] = []
    for (const part of partsOfLength(sequence, length)) {
      if (isMeant(part)) candidates.push(part)
      if (tries + candidates.length === MAX_TRIES) break
    }
    tries += candidates.length
    const fails = candidates.length === 0 ? [] : await failing(candidates)
    const found = candidates.find((_, index) => fails[index])
    if (found) return found
  }
  return sequence
}

/** Yields each subsequence once. Yields them lazily, because forty items have 2^40 subsequences. */
function* partsOfLength<Item>(sequence: readonly Item[], length: number): Generator<readonly Item[], void> {
  if (length === 0) yield []
  const begun = new Set<string>()
  const firsts = length === 0 ? [] : sequence.slice(0, sequence.length - length + 1)
  for (const [place, first] of firsts.entries()) {
    // Skips an item equal to an earlier first item, so that no subsequence is yielded twice.
    const name = JSON.stringify(first)
    if (begun.has(name)) continue
    begun.add(name)
    for (const rest of partsOfLength(sequence.slice(place + 1), length - 1)) yield [first, ...rest]
  }
}
