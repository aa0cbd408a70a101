import { inspect } from 'node:util'
import * as fc from 'fast-check'
import type { Command, Plan } from './plan.ts'
import { scheduledAttempts } from './reference-model.ts'
import { type Run, run } from './run.ts'
import { planArbitrary, typeToRegister } from './plan-arbitrary.ts'
import type { Plant } from './world/incarnation.ts'
import { INVARIANTS } from './invariants/invariants.ts'

/** Another way to run the same plan, which must have the same outcome. */
interface Variant {
  readonly id: string
  readonly about: string
  readonly problems: (plan: Plan, plant: Plant) => Promise<readonly string[]>
}

function inOrder({ setup, commands }: Plan): Plan {
  const plain = commands.flatMap((command): readonly Command[] => {
    if (command.kind === 'crash') return [command.during]
    if (command.kind === 'pair') return [command.first]
    if (command.kind === 'crowd') return command.calls.map(({ call }) => call)
    return ['go-on', 'bad-disk', 'restart', 'save', 'replace'].includes(command.kind) ? [] : [command]
  })
  return { setup, commands: plain.filter(({ kind }) => kind !== 'resend') }
}

/** Rounds a time down to seconds, because each change moves the clock by a millisecond. */
const toSecond = (time: number) => Math.floor(time / 1_000)

/** Returns the outcomes of all jobs in sorted order, without random ids. */
function fates({ model }: Run, isCounted = (_: string) => true): readonly string[] {
  return model.jobs
    .filter(({ head }) => isCounted(`${head.generation}/${head.object_type}`))
    .map((job) => {
      const { generation, object_type, state, at, revision } = job.head
      const attempts = scheduledAttempts(job).map((attempt) => [
        toSecond(attempt.due_at),
        toSecond(attempt.started_at),
        attempt.status,
        attempt.reason,
      ])
      return JSON.stringify([generation, object_type, revision, state, toSecond(at), attempts])
    })
    .toSorted()
}

function difference(what: string, first: readonly string[], second: readonly string[]): readonly string[] {
  if (first.join('\n') === second.join('\n')) return []
  const gone = first.find((each) => !second.includes(each))
  const come = second.find((each) => !first.includes(each))
  return [`${what}: ${gone ?? 'nothing'} became ${come ?? 'nothing'}`]
}

async function compare(
  what: string,
  [first, second]: readonly [Plan, Plan],
  { plant, isCounted }: { readonly plant: Plant; readonly isCounted?: (slot: string) => boolean },
): Promise<readonly string[]> {
  const [one, other] = [
    await run(first, { plant, isQuiet: true }),
    await run(second, { plant, isQuiet: true }),
  ]
  return difference(what, fates(one, isCounted), fates(other, isCounted))
}

export const VARIANTS: readonly Variant[] = [
  {
    id: 'I-determinism',
    about: 'two runs of the same plan have the same trace',
    async problems(plan, plant) {
      const [first, second] = [await run(plan, { plant }), await run(plan, { plant })]
      return first.trace === second.trace ? [] : ['the same plan had another trace']
    },
  },
  {
    id: 'I-determinism',
    about: 'a run with restarts after each command has the same jobs and attempts as a run without restarts',
    problems(plan, plant) {
      const plain = inOrder(plan)
      const commands = plain.commands.flatMap((command) => [command, { kind: 'restart' } as const])
      return compare('with restarts', [plain, { ...plain, commands }], { plant })
    },
  },
  {
    id: 'I-clock',
    about: 'an advance in two parts gives the same jobs and attempts as one advance',
    problems(plan, plant) {
      const plain = inOrder(plan)
      const commands = plain.commands.flatMap((command): readonly Command[] => {
        if (command.kind !== 'advance') return [command]
        const minutes = Math.floor(command.minutes / 2)
        return [
          { ...command, minutes },
          { ...command, minutes: command.minutes - minutes },
        ]
      })
      return compare('with advances in two parts', [plain, { ...plain, commands }], { plant })
    },
  },
  {
    id: 'I-isolation',
    about: 'a receiver that never responds does not change the jobs of other registrations',
    problems(plan, plant) {
      const plain = inOrder(plan)
      const [first] = plain.commands
      if (first?.kind !== 'register') return Promise.resolve([])
      const hanging = `${first.generation}/${typeToRegister(first)}`
      return compare('with a receiver that hangs', [plain, { ...plain, setup: { ...plan.setup, hanging } }], {
        plant,
        isCounted: (slot) => slot !== hanging,
      })
    },
  },
]

interface Violation {
  readonly id: string
  readonly problem: string
}

export interface JudgeOptions {
  readonly plant?: Plant
  readonly onRun?: ((done: Run) => void) | undefined
}

/** Runs a plan. Checks the invariants of the run, and compares the run with one variant. */
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

/** Runs a plan. A run that does not end is a violation, because it has lost an event. */
async function tryRun(plan: Plan, plant: Plant) {
  try {
    return await run(plan, { plant })
  } catch (error) {
    return { id: 'I-noloss', problem: `The run did not come to its end: ${String(error)}` }
  }
}

export interface FailedSeed {
  readonly seed: number
  readonly plan: Plan
  readonly violations: readonly Violation[]
}

/** Every tenth seed is compared with a variant, because each comparison triples a seed's time. */
const EVERY = 10

const LONGEST_SHRINKING_MS = 60_000

/** Tests the plan of a seed. After a failure, tests smaller plans. */
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

export function drawPlan(seed: number): Plan {
  const [drawn] = fc.sample(planArbitrary, { seed, numRuns: 1 })
  if (!drawn) throw new Error(`Cannot draw a plan from seed ${seed}`)
  return drawn
}

export function formatFailedSeed({ seed, plan: found, violations }: FailedSeed): string {
  const lines = violations.slice(0, 8).map(({ id, problem }) => `  ${id}: ${problem}`)
  return [
    `Seed ${seed} shows what must not be; repeat it with: npm run sim -- --seed ${seed}`,
    ...lines,
    'The smallest plan that shows it:',
    inspect(found, { depth: 8, breakLength: 120 }),
  ].join('\n')
}
