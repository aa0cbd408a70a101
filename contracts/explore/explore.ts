import { createDraw, type Draw } from './draw.ts'
import { asksAboutUsers } from './people.ts'
import { createBounds, createSearch, type CaseSearch, type SearchOptions } from './search.ts'
import { isRestarting, type ExploredCase } from '../explored-case.ts'
import type { CheckContext } from '../toolkit/check-context.ts'

export interface ExploreOptions extends Omit<SearchOptions, 'bounds'> {
  /** The cases that failed in earlier runs. The exploration plays these cases before new cases. */
  readonly kept: readonly ExploredCase[]
}

const LANES = 16
/** The share of the exploration time that is reserved for cases with restarts, if the checks can restart the receiver. */
const RESTART_SHARE = 0.3
/** The minimum duration, in milliseconds, of an exploration in which some calls end only when the receiver times out. */
const LONG_MS = 20_000

/** Plays random cases, and afterwards cases with restarts. `untilAlone` waits until no other check needs the receiver. */
export async function explore(
  context: CheckContext,
  options: ExploreOptions,
  untilAlone: () => Promise<void>,
) {
  const { profile, receiver, calls } = context
  const { branches, forMs } = options
  const draw = createDraw({
    asksAboutUsers: await asksAboutUsers(context),
    branches,
    callsBack: calls.observable,
    callbackTypes: receiver.types('callbacks'),
    isLong: forMs >= LONG_MS,
    paysItemAgain: !Object.values(profile.consequences).some((each) => each?.object_type === 'items'),
  })
  const bounds = createBounds(context)
  const search = createSearch(context, { ...options, bounds })
  try {
    await searchCases(context, options, { draw, search, untilAlone })
    return { cases: search.count(), coverage: draw.coverage.share(), failure: search.failure(), bounds }
  } finally {
    await search.close()
  }
}

export type Exploration = Awaited<ReturnType<typeof explore>>

async function searchCases(
  context: Pick<CheckContext, 'elapsed' | 'process' | 'effects'>,
  { forMs, kept }: ExploreOptions,
  tools: { readonly draw: Draw; readonly search: CaseSearch; readonly untilAlone: () => Promise<void> },
): Promise<void> {
  const { draw, search, untilAlone } = tools
  const { elapsed } = context
  const restarts = context.process.observable && context.effects.observable
  let drawn = 0
  const next = (isRestarted: boolean) =>
    search.play(`case ${++drawn}`, (random) => draw.next(random, isRestarted))

  const keptQuiet = kept.filter((plan) => !isRestarting(plan))
  const quietMs = restarts ? forMs * (1 - RESTART_SHARE) : forMs
  const end = elapsed() + quietMs
  const lane = async () => {
    for (let plan = keptQuiet.shift(); plan && search.isOpen(); plan = keptQuiet.shift())
      await search.play('kept', plan)
    while (elapsed() < end && search.isOpen()) await next(false)
  }
  do {
    await Promise.all(Array.from({ length: LANES }, lane))
    await search.conclude()
  } while (elapsed() < end && search.isOpen())
  await untilAlone()
  if (forMs >= LONG_MS && search.isOpen()) {
    await search.play('crowd', draw.crowd)
    await search.conclude()
  }
  const keptRestarts = restarts ? kept.filter(isRestarting) : []
  const lastEnd = elapsed() + (restarts ? forMs - quietMs : 0)
  while (elapsed() < lastEnd && search.isOpen()) {
    const plan = keptRestarts.shift()
    await (plan ? search.play('kept', plan) : next(true))
    // A restart affects all cases that run at the same time, so the search concludes each case before the next.
    await search.conclude()
  }
  await search.lookAgain()
}
