import { judgePlan } from '../judge.ts'
import { drawPlan } from '../seeds.ts'
import type { PlantedBug } from './planted-bug.ts'

/** Where a planted bug was found out. */
export interface CaughtBug {
  readonly bug: PlantedBug
  /** The first seed that shows it, counted from 0. */
  readonly seed: number
  /** Every invariant that did not hold with that seed. */
  readonly invariants: readonly string[]
  /** What the first of them says. */
  readonly problem: string
}

/** One seed in so many compares two runs, too. */
const EVERY = 5

/** Tries one seed after the other until one shows the bug, by this invariant if one is given; undefined if none of them does. */
export async function catchBug(
  bug: PlantedBug,
  seeds: number,
  invariant?: string,
): Promise<CaughtBug | undefined> {
  for (let seed = 0; seed < seeds; seed++) {
    const variant = seed % EVERY === 0 ? seed / EVERY : undefined
    const violations = await judgePlan(drawPlan(seed), variant, { plant: bug.plant })
    const first = violations.find(({ id }) => invariant === undefined || id === invariant)
    if (first)
      return { bug, seed, invariants: [...new Set(violations.map(({ id }) => id))], problem: first.problem }
  }
  return undefined
}
