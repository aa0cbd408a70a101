import type { Branch } from './branches.ts'

/**
 * In which order the parts of a payment arrive, by their places in the document's order. What stands in one group comes at
 * the same moment; a part that stands twice comes twice.
 */
export type Sequence = readonly (readonly number[])[]

/** One after the other. */
export function oneByOne(...order: readonly number[]): Sequence {
  return order.map((part) => [part])
}

/** As the document has it. */
export function documentedSequence({ parts }: Pick<Branch, 'parts'>): Sequence {
  return oneByOne(...parts.keys())
}

/** Such as "transactions successful, then batch_transactions successful". */
export function describeSequence(sequence: Sequence, { parts }: Pick<Branch, 'parts'>): string {
  const nameOf = (index: number) => `${parts[index]?.type} ${parts[index]?.state}`
  return sequence.map((group) => group.map(nameOf).join(' together with ')).join(', then ')
}

/** Every order of these. */
export function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length <= 1) return [items]
  return items.flatMap((first, place) =>
    permutations(items.toSpliced(place, 1)).map((rest) => [first, ...rest]),
  )
}

/** How likely a part is left out, comes twice, or comes late once more. */
const CHANCE = 0.4

/**
 * What a network and a day of retries may make of a payment: any order, repetitions, an early part once more at the end, and
 * parts left out of which a later one tells.
 */
export function drawSequence({ parts }: Pick<Branch, 'parts'>, random: () => number): readonly number[] {
  const happens = () => random() < CHANCE
  const all = [...parts.keys()]
  const early = all.filter((index) => parts[index]?.isLast === false)
  const kept = all.filter((index) => !early.includes(index) || !happens())
  const twice = kept.filter(happens)
  const late = early.filter(happens)
  return [...shuffle([...kept, ...twice], random), ...late]
}

function shuffle(items: readonly number[], random: () => number): readonly number[] {
  const left = [...items]
  return items.flatMap(() => left.splice(Math.floor(random() * left.length), 1))
}

/** How many sequences are tried in search of the shortest. */
const MOST_TRIES = 60

/** Tells of each of these whether it fails. */
export type Fails<Item> = (candidates: readonly (readonly Item[])[]) => Promise<readonly boolean[]>

/**
 * The shortest part of a failing sequence that fails too and still has `needed` in it; itself if none does. `failing` tells
 * of each whether it fails, on payments of its own; those of one length are tried at once.
 */
export function shortestFailing(
  sequence: readonly number[],
  needed: readonly number[],
  failing: Fails<number>,
): Promise<readonly number[]> {
  const isMeant = (candidate: readonly number[]) => needed.every((index) => candidate.includes(index))
  return shortestPart(sequence, failing, { least: needed.length, isMeant, nameOf: String })
}

/** Which parts of a sequence are tried. */
interface PartChoice<Item> {
  /** The least length. */
  readonly least: number
  readonly isMeant: (candidate: readonly Item[]) => boolean
  /** What has one name is one and the same. */
  readonly nameOf: (item: Item) => string
}

/** The same of a sequence of anything. */
export async function shortestPart<Item>(
  sequence: readonly Item[],
  failing: Fails<Item>,
  { least, isMeant, nameOf }: PartChoice<Item>,
): Promise<readonly Item[]> {
  let tries = 0
  for (let length = Math.max(least, 1); length < sequence.length && tries < MOST_TRIES; length++) {
    const candidates: (readonly Item[])[] = []
    for (const part of partsOfLength(sequence, length, nameOf)) {
      if (isMeant(part)) candidates.push(part)
      if (tries + candidates.length === MOST_TRIES) break
    }
    tries += candidates.length
    const fails = candidates.length === 0 ? [] : await failing(candidates)
    const found = candidates.find((_, index) => fails[index])
    if (found) return found
  }
  return sequence
}

/** What is left of a sequence when all but so many are struck out; each once, and made when asked for: of forty there are 2^40. */
function* partsOfLength<Item>(
  sequence: readonly Item[],
  length: number,
  nameOf: (item: Item) => string,
): Generator<readonly Item[], void> {
  if (length === 0) yield []
  const begun = new Set<string>()
  const firsts = length === 0 ? [] : sequence.slice(0, sequence.length - length + 1)
  for (const [place, first] of firsts.entries()) {
    // What begins with a later one of the same name begins with this one too.
    if (begun.has(nameOf(first))) continue
    begun.add(nameOf(first))
    for (const rest of partsOfLength(sequence.slice(place + 1), length - 1, nameOf)) yield [first, ...rest]
  }
}
