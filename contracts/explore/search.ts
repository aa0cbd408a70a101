import {
  expectations,
  findDifference,
  findRejection,
  type Difference,
  type Expectation,
  createPatience,
  awaitMatch,
  MAY_PASS,
  settleDifference,
  type Patience,
} from './oracle.ts'
import { playCase, type PlayedCase } from './play-case.ts'
import { shrinkCase, type FailedCase } from './shrink.ts'
import { isRestarting, LONG_CALL_BACKS, type ExploredCase } from '../explored-case.ts'
import { failed, PASSED, withUnobserved, type Failed } from '../finding.ts'
import type { Branch } from '../toolkit/branches.ts'
import type { CheckContext, ContextFork } from '../toolkit/check-context.ts'
import { describeExchange, isTimedOut } from '../toolkit/expectations.ts'
import { createInFlight } from '../toolkit/scheduling.ts'

export interface SearchOptions {
  readonly branches: readonly Branch[]
  /** The duration of the exploration in milliseconds. Also the limit for reducing a case, but at least 5 s and at most 15 s. */
  readonly forMs: number
  readonly onSuspect: (plan: ExploredCase) => void
  readonly bounds: Bounds
}

interface Provisional {
  readonly plan: ExploredCase
  readonly expected: readonly Expectation[]
  readonly fork: ContextFork
}

const MIN_SHRINK_MS = 5_000
const MAX_SHRINK_MS = 15_000
const MAX_WAITING = 32

export function createSearch(context: CheckContext, options: SearchOptions) {
  const { branches, bounds, onSuspect } = options
  const shrinkMs = Math.min(MAX_SHRINK_MS, Math.max(MIN_SHRINK_MS, options.forMs))
  const shrink = { branches, forMs: shrinkMs, patience: createPatience(context) }
  const provisional: Provisional[] = []
  const forks: ContextFork[] = []
  const looks = createInFlight()
  let suspect: (FailedCase & Provisional) | undefined
  let failure: FailedCase | undefined

  function end(one: Provisional, difference: Difference | undefined): void {
    if (difference) suspect ??= { ...one, difference }
    else provisional.push(one)
  }

  return {
    count: () => forks.length,
    failure: () => failure,
    /** Returns true until a case seems to fail. */
    isOpen: () => suspect === undefined && failure === undefined,
    /** Plays a given or random case. The search checks the result of the case while the next cases run. */
    async play(name: string, given: ExploredCase | ((random: () => number) => ExploredCase)) {
      const fork = context.fork(name)
      forks.push(fork)
      const plan = typeof given === 'function' ? given(fork.context.random) : given
      const played = await playCase(fork.context, plan, branches)
      await bounds.note(fork.context, played, plan)
      const refusal = findRejection(played)
      const one = { plan, expected: context.effects.observable ? expectations(played) : [], fork }
      if (refusal) return end(one, refusal)
      looks.add(look(one, shrink.patience).then((difference) => end(one, difference)))
      if (looks.count() >= MAX_WAITING) await looks.any()
    },
    /** Waits for the results of all cases. A suspected failure counts only if the failure lasts and a reduced case fails again. */
    async conclude() {
      await looks.all()
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
    /** Ends the faults of all cases. Until then, a late call of the receiver gets the same answer as earlier calls. */
    async close() {
      for (const fork of forks.splice(0)) await fork.close()
    },
  }
}

export type CaseSearch = ReturnType<typeof createSearch>

function look({ plan, expected, fork }: Provisional, patience: Patience): Promise<Difference | undefined> {
  const isLong = plan.deliveries.some(({ callBack }) => LONG_CALL_BACKS.some((each) => each === callBack))
  if (isLong) return settleDifference(fork.context, expected)
  return awaitMatch(fork.context, expected, patience.msFor(plan))
}

async function findAtRest(context: CheckContext, cases: readonly Provisional[]) {
  await context.rest()
  for (const { plan, expected, fork } of cases) {
    const difference = await findDifference(fork.context, expected)
    // After a restart, a missing effect proves nothing, because an effects page may count in memory.
    if (!difference || difference.symptom === 'missing-effect') continue
    const found = { plan, expected, difference, fork }
    if (await isLasting(found, cases)) return found
  }
  return undefined
}

async function isLasting(
  { plan, expected, fork, difference }: FailedCase & Provisional,
  cases: readonly Provisional[],
): Promise<boolean> {
  if (!MAY_PASS.includes(difference.symptom)) return true
  const settled = await settleDifference(fork.context, expected)
  const isMissing = settled?.symptom === 'missing-effect'
  return settled !== undefined && !(isMissing && isRestarting(plan) && (await hasForgotten(cases)))
}

/** Returns true if the effects page keeps its counts in memory and has restarted from zero. */
async function hasForgotten(cases: readonly Provisional[]): Promise<boolean> {
  for (const { expected, fork } of cases) {
    const acted = expected.find(({ effects }) => effects > 0)
    if (acted) return (await fork.context.effects.read(acted.object)).effects < acted.effects
  }
  return false
}

/** The maximum number of calls for each notification. More calls would overload a failing service. */
const MAX_CALLS = 20

export function createBounds({ calls }: Pick<CheckContext, 'calls'>) {
  let exceeded: Failed | undefined

  async function noteCalls(
    fork: CheckContext,
    { payments }: PlayedCase,
    { deliveries }: ExploredCase,
  ): Promise<void> {
    for (const [of, { play, disguise }] of payments.entries()) {
      const object = disguise.target(play)
      if (!object) continue
      const count = (await fork.calls.about(object)).length
      const notified = deliveries.filter((delivery) => delivery.of === of).length
      if (count <= MAX_CALLS * Math.max(1, notified)) continue
      exceeded ??= failed(
        `at most ${MAX_CALLS} calls to the service for each notification`,
        `${count} calls about ${object.type} ${object.id} after ${notified} notifications`,
        { objects: [object] },
      )
    }
  }

  return {
    async note(context: CheckContext, played: PlayedCase, plan: ExploredCase) {
      if (exceeded) return
      const slow = played.first.find(isTimedOut)
      if (slow) {
        exceeded = failed(
          'an answer before the deadline of the service, even if calls to the service fail or are slow',
          describeExchange(slow),
          { exchanges: [slow] },
        )
      } else if (context.calls.observable) await noteCalls(context, played, plan)
    },
    finding: () =>
      exceeded ??
      withUnobserved(PASSED, calls.observable ? undefined : 'the calls of the receiver to the service'),
  }
}

export type Bounds = ReturnType<typeof createBounds>
