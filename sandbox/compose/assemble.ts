import { createAccessTokens } from '../api/http/access-tokens.ts'
import type { ControlContext } from '../api/control/operation.ts'
import { createDeliveryFaults } from '../engine/faults/delivery-faults.ts'
import { createGates } from '../engine/faults/gates.ts'
import { createMatcher } from '../engine/faults/matcher.ts'
import { isTemporary } from '../engine/state/storage-error.ts'
import type { Store } from '../engine/state/store.ts'
import type { Write } from '../engine/state/write.ts'
import { createActions } from './actions.ts'
import { createAdvance } from './advance.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { type Dependencies, wire, type Wiring } from './wiring.ts'
import { createWorld } from './world.ts'
import type { Ports } from '../engine/core/ports.ts'
import type { WorldPause } from '../engine/state/world-record.ts'

/** The sandbox put together: two functions of a request, and what moves it. */
export interface Assembled extends Listeners {
  readonly store: Store
  /** Commits an operation's writes with the jobs that they trigger. */
  readonly commit: (writes: readonly Write[]) => Promise<void>
  /** What operations look at, for callers in this process. */
  readonly context: ControlContext
  readonly advance: (to: number) => Promise<number>
  /** Takes up what the store has pending, and sends from now on. */
  readonly start: () => void
  /** Resolves when nothing is due now or under way, except what faults hold back. */
  readonly idle: () => Promise<void>
  /** Calls back whenever the whole world was replaced. */
  readonly onReplaced: (listener: () => void) => void
  /**
   * Ends what would never end by itself: a run of checks, whose world is put back while the bench still listens, then streams of
   * events, and calls that faults hold.
   */
  readonly hangUp: () => Promise<void>
  readonly standstill: Standstill
  /** Starts no more attempts, waits for those under way, and closes the store. */
  readonly close: () => Promise<void>
}

/** Each part is made of what stands above it: the store and its context, faults, what moves by itself, and what answers. */
export function assemble(given: Dependencies): Assembled {
  const dependencies = { ...given, onError: exceptProblems(given) }
  const { ports, tokenKey, onError, worldId } = dependencies
  const wiring = wire(dependencies)
  const { store, context, commit, closing } = wiring
  const faults = createFaults(dependencies, wiring)
  const { gates } = faults
  const listeners = new Set<() => void>()

  const scheduler = createScheduler({
    ...dependencies,
    ...ports,
    ...context,
    ...wiring,
    faults: createDeliveryFaults(gates, faults.matcher, store),
    gates,
  })
  const advance = createAdvance({ ...ports, store, scheduler })
  const world = createWorld(dependencies, wiring, {
    advance,
    onReplaced() {
      gates.releaseAll()
      scheduler.restart()
      for (const listener of listeners) listener()
    },
  })
  const accessTokens = createAccessTokens(tokenKey, { ...ports, newId: context.newId, world: worldId })
  const stopRecovery = recoverByItself(dependencies)
  const actions = createActions({ ...ports, ...wiring, accessTokens, scheduler, advance, world })

  return {
    ...createListeners(dependencies, wiring, { actions, accessTokens, faults, closing: closing.signal }),
    store,
    commit,
    context,
    advance: advance.to,
    start: scheduler.start,
    idle: scheduler.idle,
    onReplaced: (listener) => void listeners.add(listener),
    standstill: createStandstill({ ...ports, scheduler }, wiring),
    hangUp: () => wiring.runs.close().finally(() => closing.abort()),
    async close() {
      closing.abort()
      gates.releaseAll()
      await scheduler.stop()
      stopRecovery()
      const stoppedAt = { head: { kind: 'clock', at: ports.clock.now() }, body: '' } as const
      await store.commit([stoppedAt]).catch((error: unknown) => onError('close', error))
      store.close()
    },
  }
}

/** What keeps the store from taking changes is said once by `onStorage`, and not by everybody whom it hinders. */
function exceptProblems({ store, onError }: Dependencies): Dependencies['onError'] {
  return (where, error) => {
    if (error !== store.problem) onError(where, error)
  }
}

/** How often it is tried, in real time, whether there is room on a disk that was full, or a log can be reached. */
const RECOVERY_MS = 1_000

/** Returns a function that ends it. */
function recoverByItself({ ports, store, onStorage = () => {} }: Dependencies): () => void {
  let cancel = () => {}
  function tryLater(): void {
    cancel = ports.realTime.after(RECOVERY_MS, () => {
      store.recover()
      if (store.problem && isTemporary(store.problem)) tryLater()
    })
  }
  const unsubscribe = store.onProblem((problem) => {
    cancel()
    onStorage(problem)
    if (problem && isTemporary(problem)) tryLater()
  })
  return () => {
    unsubscribe()
    cancel()
  }
}

function createFaults({ ports, onError }: Dependencies, { store, commit }: Wiring) {
  const gates = createGates(ports.realTime, (id) => store.faults().some((fault) => fault.id === id))
  store.subscribe((head) => head.kind === 'fault-end' && gates.release({ faultId: head.fault_id }))
  const record = (writes: readonly Write[]) =>
    void commit(writes).catch((error: unknown) => onError('the count of a fault', error))
  return { gates, matcher: createMatcher(store, record) }
}

/** A world in which nothing is under way, and how it goes on from there when it is opened again. */
interface Standstill {
  /** How it stands; undefined while something is under way, held back or kept that would be lost. */
  read(): WorldPause | undefined
  /** When a run ended whose report is lost as the world is closed, in real time; undefined if there is none. */
  reportedAt(): number | undefined
  /**
   * Goes on from a pause, in a world that was not started yet. Its clock has gone on meanwhile, as far as the sandbox ran, which it
   * has since `startedAt`: where nothing runs, the clock stands.
   */
  resume(pause: WorldPause, startedAt: number): void
}

export interface StandstillPorts extends Pick<Ports, 'clock' | 'random' | 'realTime'> {
  readonly scheduler: Pick<Scheduler, 'waiting' | 'nextDueAt'>
}

function createStandstill(
  { clock, random, realTime, scheduler }: StandstillPorts,
  { store, requests, runs }: Pick<Wiring, 'store' | 'requests' | 'runs'>,
): Standstill {
  /** In real time; null if nothing ever falls due by itself. */
  function wakeAt(): number | null {
    const due = scheduler.nextDueAt()
    if (due === undefined || clock.speed === 0) return null
    return realTime.now() + Math.max(0, due - clock.now()) / clock.speed
  }

  return {
    read() {
      const isAtRest = scheduler.waiting().length === 0
      if (!isAtRest || store.problem || runs.isUnderWay()) return undefined
      return {
        wakeAt: wakeAt(),
        clock: { at: clock.now(), speed: clock.speed },
        realAt: realTime.now(),
        chance: random.state(),
        requests: requests.list(),
        requestsSince: requests.keptSince(),
      }
    },
    reportedAt: runs.lastEndAt,
    resume(pause, startedAt) {
      const { at, speed } = pause.clock
      const passedMs = Math.max(0, realTime.now() - Math.max(pause.realAt, startedAt))
      clock.restartAt(Math.max(clock.now(), at + passedMs * speed), speed)
      random.restore(pause.chance)
      requests.replace(pause.requests, pause.requestsSince)
    },
  }
}
