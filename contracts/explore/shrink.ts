import { expectations, findDifference, findRefusal, type Difference } from './oracle.ts'
import { lookBriefly, MAY_PASS, settleDifference, type Patience } from './patience.ts'
import { playCase } from './play-case.ts'
import { sizeOf, smallerCases } from './smaller-cases.ts'
import { isRestarting, type ExploredCase } from '../explored-case.ts'
import type { Branch } from '../toolkit/branches.ts'
import type { CheckContext, ContextFork } from '../toolkit/check-context.ts'

export interface FailedCase {
  readonly plan: ExploredCase
  readonly difference: Difference
  readonly fork: ContextFork
}

export interface ShrinkOptions {
  readonly branches: readonly Branch[]
  /** The time limit in real milliseconds. */
  readonly forMs: number
  readonly patience: Patience
}

const SIDE_BY_SIDE = 32

/** Returns the smallest case with the same failure, or undefined if none fails after a wait. */
export async function shrinkCase(
  context: CheckContext,
  failed: FailedCase,
  { branches, forMs, patience }: ShrinkOptions,
): Promise<FailedCase | undefined> {
  const end = context.elapsed() + forMs
  const { symptom } = failed.difference
  const smallest = [failed]
  let tried = 0

  async function fails(plan: ExploredCase): Promise<FailedCase | undefined> {
    const fork = context.fork(`smaller ${++tried}`)
    const difference = await playBriefly(fork.context, plan, { branches, patience, symptom })
    await fork.close()
    return difference?.symptom === symptom ? { plan, difference, fork } : undefined
  }

  for (let found: FailedCase | undefined = failed; found && context.elapsed() < end;) {
    const candidates = smallerCases(found.plan, branches)
    // A restart affects all concurrent cases.
    const atOnce: number = isRestarting(found.plan) ? 1 : SIDE_BY_SIDE
    found = undefined
    for (let from = 0; from < candidates.length && !found && context.elapsed() < end; from += atOnce) {
      const results: readonly (FailedCase | undefined)[] = await Promise.all(
        candidates.slice(from, from + atOnce).map(fails),
      )
      const failing = results.filter((each) => each !== undefined)
      found = failing.toSorted((a, b) => sizeOf(a.plan) - sizeOf(b.plan))[0]
    }
    if (found) smallest.push(found)
  }
  return confirm(context, smallest, branches)
}

/** Undue effects are certain. Other symptoms must show again. */
const DONE: ReadonlySet<Difference['symptom']> = new Set([
  'undue-effect',
  'repeated-effect',
  'amount',
  'owner',
])

/** Plays a briefly seen failure once more with patience, the smallest first. */
async function confirm(
  context: CheckContext,
  found: readonly FailedCase[],
  branches: readonly Branch[],
): Promise<FailedCase | undefined> {
  const candidates = [...new Set([found.at(-1), found.at(-2), found[0]])].filter((each) => each !== undefined)
  for (const [index, { plan }] of candidates.entries()) {
    const fork = context.fork(`smallest ${index + 1}`)
    const difference = await playDifference(fork.context, plan, branches)
    await fork.close()
    if (difference) return { plan, difference, fork }
  }
  const [first] = found
  return first && DONE.has(first.difference.symptom) ? first : undefined
}

/** Plays a case and waits until the receiver has finished. */
export async function playDifference(
  context: CheckContext,
  plan: ExploredCase,
  branches: readonly Branch[],
): Promise<Difference | undefined> {
  const played = await playCase(context, plan, branches)
  const refusal = findRefusal(played)
  if (refusal || !context.effects.observable) return refusal
  return settleDifference(context, expectations(played))
}

/** The wait for repeated effects during a search, in real milliseconds. */
const AGAIN_MS = 250

/** Does the same with little patience. A different failure is of no use. */
async function playBriefly(
  context: CheckContext,
  plan: ExploredCase,
  { branches, patience, symptom }: Pick<ShrinkOptions, 'branches' | 'patience'> & Pick<Difference, 'symptom'>,
): Promise<Difference | undefined> {
  const played = await playCase(context, plan, branches)
  const refusal = findRefusal(played)
  if (refusal || !context.effects.observable) return refusal
  const expected = expectations(played)
  if (MAY_PASS.includes(symptom)) return lookBriefly(context, expected, patience.msFor(plan))
  await context.pause(AGAIN_MS)
  return findDifference(context, expected)
}
