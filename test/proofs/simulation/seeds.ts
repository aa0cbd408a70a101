import * as fc from 'fast-check'
import { inspect } from 'node:util'
import { judgePlan, type Violation } from './judge.ts'
import type { Plan } from './plan.ts'
import { planArbitrary } from './plan-arbitrary.ts'
import type { Run } from './run.ts'

/** What was found with a seed, in the smallest plan that still shows it. */
export interface FailedSeed {
  readonly seed: number
  readonly plan: Plan
  readonly violations: readonly Violation[]
}

/** One seed in so many compares runs beside judging one: that takes three times as long. */
const EVERY = 10

const LONGEST_SHRINKING_MS = 60_000

/** Tries a seed: the plan that follows from it, and smaller ones if something does not hold. `onRun` hears of each run. */
export async function trySeed(seed: number, onRun?: (done: Run) => void): Promise<FailedSeed | undefined> {
  const variant = seed % EVERY === 0 ? seed / EVERY : undefined
  let isShrinking = false
  let startedAt = 0
  let failed: FailedSeed | undefined
  const property = fc.asyncProperty(planArbitrary, async (given) => {
    if (isShrinking && performance.now() - startedAt > LONGEST_SHRINKING_MS) return true
    const violations = await judgePlan(given, variant, { onRun })
    if (violations.length === 0) return true
    if (!isShrinking) startedAt = performance.now()
    isShrinking = true
    failed = { seed, plan: given, violations }
    return false
  })
  await fc.check(property, { seed, numRuns: 1 })
  return failed
}

/** The plan that follows from a seed. */
export function drawPlan(seed: number): Plan {
  const [drawn] = fc.sample(planArbitrary, { seed, numRuns: 1 })
  if (!drawn) throw new Error(`Cannot draw a plan from seed ${seed}`)
  return drawn
}

/** For a person who is to repeat it. */
export function formatFailedSeed({ seed, plan: found, violations }: FailedSeed): string {
  const lines = violations.slice(0, 8).map(({ id, problem }) => `  ${id}: ${problem}`)
  return [
    `Seed ${seed} shows what must not be; repeat it with: npm run sim -- --seed ${seed}`,
    ...lines,
    'The smallest plan that shows it:',
    inspect(found, { depth: 8, breakLength: 120 }),
  ].join('\n')
}
