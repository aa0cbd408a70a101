import { INVARIANTS } from './invariants/invariants.ts'
import type { Plan } from './plan.ts'
import { run, type Run } from './run.ts'
import { VARIANTS } from './variants.ts'
import type { Plant } from './world/incarnation.ts'

/** What did not hold, by the id of the invariant. */
export interface Violation {
  readonly id: string
  readonly problem: string
}

export interface JudgeOptions {
  readonly plant?: Plant
  /** Hears of the run before it is judged. */
  readonly onRun?: ((done: Run) => void) | undefined
}

/** Does a plan, and holds every invariant of a run; of those that compare runs, the one with this number. */
export async function judgePlan(
  plan: Plan,
  variant?: number,
  { plant = {}, onRun }: JudgeOptions = {},
): Promise<readonly Violation[]> {
  const done = await tryRun(plan, plant)
  if ('id' in done) return [done]
  onRun?.(done)
  const found = INVARIANTS.flatMap(({ id, check }) => check(done).map((problem) => ({ id, problem })))
  const compared = variant === undefined ? undefined : VARIANTS[variant % VARIANTS.length]
  if (!compared || found.length > 0) return found
  const problems = await compared.problems(plan, plant)
  return problems.map((problem) => ({ id: compared.id, problem }))
}

/** A run that does not come to its end has lost something that it waits for. */
async function tryRun(plan: Plan, plant: Plant) {
  try {
    return await run(plan, { plant })
  } catch (error) {
    return { id: 'I-noloss', problem: `The run did not come to its end: ${String(error)}` }
  }
}
