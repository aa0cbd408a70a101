import type { Bounds } from './bounds.ts'
import { expectations, findDifference, findRefusal, type Difference, type Expectation } from './oracle.ts'
import { createPatience, lookBriefly, MAY_PASS, settleDifference, type Patience } from './patience.ts'
import { playCase } from './play-case.ts'
import { shrinkCase, type FailedCase, type ShrinkOptions } from './shrink.ts'
import { isRestarting, LONG_CALL_BACKS, type ExploredCase } from '../explored-case.ts'
import type { Branch } from '../toolkit/branches.ts'
import type { CheckContext, ContextFork } from '../toolkit/check-context.ts'

export interface SearchOptions {
  readonly branches: readonly Branch[]
  /** The search for a smaller case takes as long as the exploration, from 5 to 15 s; real milliseconds. */
  readonly forMs: number
  /** Told of a case that fails, before the search for a smaller one. */
  readonly onSuspect: (plan: ExploredCase) => void
  readonly bounds: Bounds
}

/** A search for a case that fails. */
export interface Search {
  readonly count: () => number
  readonly failure: () => FailedCase | undefined
  /** True until a case looks as if it fails. */
  readonly isOpen: () => boolean
  /** Plays a case, or one that is drawn from random numbers of its own. What comes of it is looked at beside the next. */
  play(name: string, given: ExploredCase | ((random: () => number) => ExploredCase)): Promise<void>
  /** Waits for what is looked at. What looks as if it fails is waited for, made smaller and played again: only then it has failed. */
  conclude(): Promise<void>
  /** What was as expected must still be so when the receiver is at rest. */
  lookAgain(): Promise<void>
  /** Ends what the cases have the service show: until then, it shows the same to a receiver that asks late. */
  close(): Promise<void>
}

/** A case whose effects are as expected so far; what comes later is seen at the end. */
interface Provisional {
  readonly plan: ExploredCase
  readonly expected: readonly Expectation[]
  readonly fork: ContextFork
}

const LEAST_SHRINK_MS = 5_000
const MOST_SHRINK_MS = 15_000
/** So many cases are looked at beside those that are played. */
const MOST_WAITING = 32

export function createSearch(context: CheckContext, options: SearchOptions): Search {
  const { branches, bounds, onSuspect } = options
  const shrink = shrinkOptions(context, options)
  const provisional: Provisional[] = []
  const forks: ContextFork[] = []
  const waiting = createWaiting()
  let count = 0
  let suspect: (FailedCase & Provisional) | undefined
  let failure: FailedCase | undefined

  function end(one: Provisional, difference: Difference | undefined): void {
    if (difference) suspect ??= { ...one, difference }
    else provisional.push(one)
  }

  return {
    count: () => count,
    failure: () => failure,
    isOpen: () => suspect === undefined && failure === undefined,
    async play(name, given) {
      count++
      const fork = context.fork(name)
      forks.push(fork)
      const plan = typeof given === 'function' ? given(fork.context.random) : given
      const played = await playCase(fork.context, plan, branches)
      await bounds.note(fork.context, played, plan)
      const refusal = findRefusal(played)
      const one = { plan, expected: context.effects.observable ? expectations(played) : [], fork }
      if (refusal) return end(one, refusal)
      await waiting.add(async () => end(one, await look(one, shrink.patience)))
    },
    async conclude() {
      await waiting.all()
      if (!suspect) return
      const found = suspect
      if (await isLasting(found, provisional)) {
        onSuspect(found.plan)
        failure = await shrinkCase(context, found, shrink)
      }
      if (!failure) shrink.patience.grow()
      suspect = undefined
    },
    async lookAgain() {
      if (failure || provisional.length === 0) return
      const found = await findAtRest(context, provisional)
      failure = found && ((await shrinkCase(context, found, shrink)) ?? found)
    },
    async close() {
      for (const fork of forks.splice(0)) await fork.close()
    },
  }
}

function shrinkOptions(context: CheckContext, { branches, forMs }: SearchOptions): ShrinkOptions {
  const shrinkMs = Math.min(MOST_SHRINK_MS, Math.max(LEAST_SHRINK_MS, forMs))
  return { branches, forMs: shrinkMs, patience: createPatience(context) }
}

function look({ plan, expected, fork }: Provisional, patience: Patience): Promise<Difference | undefined> {
  const isLong = plan.deliveries.some(({ callBack }) => LONG_CALL_BACKS.some((each) => each === callBack))
  if (isLong) return settleDifference(fork.context, expected)
  return lookBriefly(fork.context, expected, patience.msFor(plan))
}

/** The first of these that is not as expected any more once the receiver has nothing left to do. */
async function findAtRest(
  context: CheckContext,
  cases: readonly Provisional[],
): Promise<FailedCase | undefined> {
  await context.rest()
  for (const { plan, expected, fork } of cases) {
    const difference = await findDifference(fork.context, expected)
    // What was there is missing where a page counts in memory and its process was started since.
    if (!difference || difference.symptom === 'missing-effect') continue
    const found = { plan, expected, difference, fork }
    if (await isLasting(found, cases)) return found
  }
  return undefined
}

/** True if time does not make it right. `cases` were as expected before. */
async function isLasting(
  { plan, expected, fork, difference }: FailedCase & Provisional,
  cases: readonly Provisional[],
): Promise<boolean> {
  if (!MAY_PASS.includes(difference.symptom)) return true
  const settled = await settleDifference(fork.context, expected)
  const isMissing = settled?.symptom === 'missing-effect'
  return settled !== undefined && !(isMissing && isRestarting(plan) && (await hasForgotten(cases)))
}

/** True if the receiver's page shows less than before: it counts in memory, and its process was started since. */
async function hasForgotten(cases: readonly Provisional[]): Promise<boolean> {
  for (const { expected, fork } of cases) {
    const acted = expected.find(({ effects }) => effects > 0)
    if (acted) return (await fork.context.effects.read(acted.object)).effects < acted.effects
  }
  return false
}

/** What is waited for beside other work. */
function createWaiting() {
  const waiting = new Set<Promise<void>>()
  const broken: unknown[] = []
  return {
    /** Resolves at once while there is room for more. */
    async add(work: () => Promise<void>): Promise<void> {
      const one: Promise<void> = work()
        .catch((cause: unknown) => void broken.push(cause))
        .finally(() => waiting.delete(one))
      waiting.add(one)
      if (waiting.size >= MOST_WAITING) await Promise.race(waiting)
    },
    async all(): Promise<void> {
      await Promise.all(waiting)
      if (broken.length > 0) throw broken[0]
    },
  }
}
