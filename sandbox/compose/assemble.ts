import { createActions } from './actions.ts'
import type { ControlContext } from '../api/control/operation.ts'
import { createAdvance, type Advance } from './advance.ts'
import { createApiFaults } from '../engine/faults/api-faults.ts'
import { createDeliveryFaults } from '../engine/faults/delivery-faults.ts'
import { createGates } from '../engine/faults/gates.ts'
import { createMatcher } from '../engine/faults/matcher.ts'
import { createAccessTokens } from '../api/http/access-tokens.ts'
import type { Dependencies } from './dependencies.ts'
import { wire, type Wiring } from './wiring.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { isLacking } from '../api/operations/simulation.ts'
import { objectFilter } from '../api/operations/webhook-jobs.ts'
import { createInFlightCounter } from '../engine/core/in-flight-counter.ts'
import type { JobRecord } from '../engine/state/indexes.ts'
import type { Store } from '../engine/state/store.ts'
import { createWorld, type World } from './world.ts'
import type { Write } from '../engine/state/write.ts'

/** The sandbox put together: two functions of a request, and what moves it. */
export interface Assembled extends Listeners {
  readonly store: Store
  /** Commits an operation's writes with the jobs that they trigger. */
  readonly commit: (writes: readonly Write[]) => Promise<void>
  /** Decides and commits like the listeners do, for callers in this process. */
  readonly context: ControlContext
  readonly advance: (to: number) => Promise<number>
  /** Takes up what the store has pending, and sends from now on. */
  readonly start: () => void
  /** Resolves when nothing is due now or under way, what faults hold back aside. */
  readonly idle: () => Promise<void>
  /** Calls back whenever the whole world was replaced. */
  readonly onReplaced: (listener: () => void) => void
  /** Ends what would never end by itself: streams of events, and calls that faults hold. */
  readonly hangUp: () => void
  /** Starts no more attempts, waits for those under way, and closes the store. */
  readonly close: () => Promise<void>
}

export function assemble(dependencies: Dependencies): Assembled {
  const { clock } = dependencies.ports
  const wiring = wire(dependencies)
  const { store, context, commit } = wiring
  const faults = createFaults(dependencies, wiring)
  const newScheduler = () => createOwnScheduler(dependencies, wiring, faults)
  const listeners = new Set<() => void>()
  let scheduler = newScheduler()
  let stopped = false
  const advance = createAdvance({
    clock,
    store,
    attempts: () => scheduler.dispatcher.attempts,
    nextDueAt: () => scheduler.nextDueAt(),
    idle: () => scheduler.idle(),
    stopped: () => stopped,
  })
  const world = createOwnWorld(dependencies, wiring, {
    refuseWhile: () => advance.refuseWhileUnderWay('replace the world'),
    onReplaced() {
      scheduler.abandon()
      faults.gates.releaseAll()
      scheduler = newScheduler()
      scheduler.start()
      for (const listener of listeners) listener()
    },
  })

  return {
    ...createOwnListeners(dependencies, wiring, { faults, scheduler: () => scheduler, world, advance }),
    store,
    commit,
    context,
    advance: advance.to,
    start: () => scheduler.start(),
    idle: () => scheduler.idle(),
    onReplaced: (listener) => void listeners.add(listener),
    hangUp: () => wiring.closing.abort(),
    async close() {
      stopped = true
      wiring.closing.abort()
      faults.gates.releaseAll()
      await scheduler.stop()
      const stoppedAt = { head: { kind: 'clock', at: clock.now() }, body: '' } as const
      await store.commit([stoppedAt]).catch((error: unknown) => dependencies.onError('close', error))
      store.close()
    },
  }
}

type Faults = ReturnType<typeof createFaults>

function createFaults({ ports, onError }: Dependencies, { store, commit }: Wiring) {
  const gates = createGates(ports.realTime, (id) => store.faults().some((fault) => fault.id === id))
  store.subscribe((head) => head.kind === 'fault-end' && gates.release({ faultId: head.fault_id }))
  const note = (writes: readonly Write[]) =>
    void commit(writes).catch((error: unknown) => onError('the count of a fault', error))
  return { gates, inFlight: createInFlightCounter(), matching: createMatcher({ view: store, note }) }
}

function createOwnScheduler(
  dependencies: Dependencies,
  { store, context, commit }: Wiring,
  { gates, inFlight, matching }: Faults,
): Scheduler {
  const isAbout = (id: string, job: JobRecord) => objectFilter(id, store)(job)
  return createScheduler({
    ...dependencies.ports,
    ...context,
    store,
    context,
    commit,
    gates,
    inFlight,
    faults: createDeliveryFaults({ matching, gates, isAbout, view: store }),
    concurrency: dependencies.concurrency,
    onAttempt: dependencies.onAttempt,
    onError: dependencies.onError,
  })
}

function createOwnWorld(
  { ports, egress }: Dependencies,
  { store, readings, requests, events, unsubscribed }: Wiring,
  { refuseWhile, onReplaced }: { readonly refuseWhile: () => void; readonly onReplaced: () => void },
): World {
  return createWorld({
    ...ports,
    store,
    requests,
    refuseWhile,
    readings,
    egress,
    onReplaced(reason) {
      unsubscribed.forget()
      onReplaced()
      events.tellReplaced(reason)
    },
  })
}

interface Moving {
  readonly faults: Faults
  readonly scheduler: () => Scheduler
  readonly world: World
  readonly advance: Advance
}

function createOwnListeners(
  { ports, settings, egress, tokenKey, benchToken, onError }: Dependencies,
  { store, requests, context, commit, closing }: Wiring,
  { faults, scheduler, world, advance }: Moving,
): Listeners {
  const accessTokens = createAccessTokens(tokenKey, ports.realTime, context.newId)
  const { gates, inFlight, matching } = faults
  const { to, refuseWhileUnderWay: refuseWhileAdvancing } = advance
  return createListeners({
    context,
    requests,
    realTime: ports.realTime,
    closing: closing.signal,
    keys: { accessTokens, credentials: settings.credentials, benchToken },
    isLacking: (operation) => isLacking(operation, context.readings()),
    findUrlProblem(raw) {
      const target = egress.judgeUrl(raw)
      return target.kind === 'refused' ? target.refusal.message : undefined
    },
    actions: createActions({
      ...ports,
      store,
      context,
      commit,
      accessTokens,
      gates,
      inFlight,
      scheduler,
      world,
      refuseWhileAdvancing,
      advance: to,
    }),
    faults: createApiFaults({ ...context, matching, gates }),
    commit,
    onError,
  })
}
