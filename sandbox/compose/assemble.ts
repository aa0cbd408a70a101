import { testMessage } from '../../spec/notifications.ts'
import { createAccessTokens, type AccessTokens } from '../api/http/access-tokens.ts'
import { createWorldSnapshots } from '../api/http/snapshot-stream.ts'
import type { ControlActions } from '../api/control/operation.ts'
import { createDeliveryFaults } from '../engine/faults/delivery-faults.ts'
import { createGates } from '../engine/faults/gates.ts'
import { createMatcher } from '../engine/faults/matcher.ts'
import { isTemporary } from '../engine/state/storage-error.ts'
import type { Store } from '../engine/state/store.ts'
import type { Write } from '../engine/state/entries.ts'
import { createAdvance, type Advance } from './advance.ts'
import { createListeners } from './listeners.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { type Dependencies, wire, type Wiring } from './wiring.ts'
import { createWorld, type World } from './world.ts'
import type { Exchange, HttpMessage, Ports } from '../engine/core/ports.ts'
import { serviceMessage } from '../engine/delivery/message.ts'
import type { WorldPause } from '../engine/state/world-record.ts'

export type Assembled = ReturnType<typeof assemble>

export function assemble(given: Dependencies) {
  const dependencies = { ...given, onError: exceptProblems(given) }
  const { ports, tokenKey, onError, worldId } = dependencies
  const wiring = wire(dependencies)
  const { store, context, commit, closing } = wiring
  const { gates, matcher } = createFaults(dependencies, wiring)
  const listeners = new Set<() => void>()

  const scheduler = createScheduler({
    ...dependencies,
    ...ports,
    ...context,
    ...wiring,
    faults: createDeliveryFaults(gates, matcher, store),
    gates,
  })
  const advance = createAdvance(ports.clock, store, scheduler)
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
  const actions = createActions(ports, wiring, { accessTokens, scheduler, advance, world })

  return {
    ...createListeners(dependencies, wiring, { actions, accessTokens, gates, matcher }),
    store,
    snapshots: createWorldSnapshots(actions, ports.realTime),
    commit,
    context,
    advance: (to: number) => advance.to(to),
    start: scheduler.start,
    /** Resolves when no work is due or in flight. Does not wait for work that a fault delays. */
    idle: () => scheduler.idle(),
    onReplaced: (listener: () => void) => void listeners.add(listener),
    hibernation: createHibernation(ports, scheduler, wiring),
    /** Ends runs, event streams and delayed calls. The control API is still available, so that a run can restore its world. */
    hangUp: () => wiring.runs.close().finally(() => closing.abort()),
    async close(): Promise<void> {
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

/** Wraps `onError` to ignore the current problem of the store, because `onStorage` reports this problem once. */
function exceptProblems({ store, onError }: Dependencies): Dependencies['onError'] {
  return (where, error) => {
    if (error !== store.problem) onError(where, error)
  }
}

/** The interval at which the store tries to recover from a full disk or an unreachable PostgreSQL, in real milliseconds. */
const RECOVERY_MS = 1_000

/** Retries writes while the store has a temporary problem. Returns a function that ends the retries. */
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

/** Creates the functions that save the state of an idle world, and restore this state when the world is opened again. */
function createHibernation(
  { clock, random, realTime }: Ports,
  scheduler: Scheduler,
  { store, requests, runs }: Wiring,
) {
  /** Returns the real time at which work is next due. Returns null if no work becomes due unless someone moves the clock. */
  function wakeAt(): number | null {
    const due = scheduler.nextDueAt()
    if (due === undefined || clock.speed === 0) return null
    return realTime.now() + Math.max(0, due - clock.now()) / clock.speed
  }

  return {
    /** Returns the state to save before pausing. Returns undefined while work is in flight or delayed, or would be lost. */
    read(): WorldPause | undefined {
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
    /** Returns the real time at which the last run ended. The report of a run is lost when the world closes. */
    reportedAt: runs.lastEndAt,
    /** Restores a paused world before the world starts. The clock catches up, but not for the time before the process started. */
    resume(pause: WorldPause, startedAt: number): void {
      const { at, speed } = pause.clock
      const passedMs = Math.max(0, realTime.now() - Math.max(pause.realAt, startedAt))
      clock.restartAt(Math.max(clock.now(), at + passedMs * speed), speed)
      random.restore(pause.chance)
      requests.replace(pause.requests, pause.requestsSince)
    },
  }
}

interface ActionParts {
  readonly accessTokens: AccessTokens
  readonly scheduler: Scheduler
  readonly advance: Advance
  readonly world: World
}

function createActions(
  { clock, realTime, transport }: Ports,
  { store, context, commit }: Wiring,
  { accessTokens, scheduler, advance, world }: ActionParts,
): ControlActions {
  const post = (message: HttpMessage) => transport.post(message, context.readings()['delivery-deadline'])
  const refuseUnrecordable = () => refuseWhileProblem(store)

  return {
    get epoch() {
      return world.epoch
    },
    async testPost(url, generation) {
      refuseUnrecordable()
      const body = JSON.stringify(testMessage(context.readings()['test-text']))
      const message = serviceMessage({ url, body, generation, turn: 0 }, { ...context, realTime })
      return scheduler.duringPost(() => post(message))
    },
    issueToken: () => accessTokens.issue(context.readings()['access-token-lifetime']),
    advance: advance.to,
    async setSpeed(speed) {
      advance.refuseWhileUnderWay('set the clock')
      refuseUnrecordable()
      clock.setSpeed(speed)
      await store.commit([{ head: { kind: 'clock', at: clock.now(), speed }, body: '' }])
    },
    async play({ id }, writes) {
      await commit(writes)
      // Waits for the steps that are due. Skips a step that cannot start yet, because the payment continues by itself later.
      await scheduler.player.idle((payment) => payment.id === id)
    },
    settle: scheduler.settle,
    async resend(job) {
      refuseUnrecordable()
      await scheduler.dispatcher.resend(job)
    },
    async deliver(message, times) {
      refuseUnrecordable()
      return scheduler.duringPost(async () => {
        const { epoch } = world
        const exchanges: Exchange[] = []
        while (exchanges.length < times && world.epoch === epoch) exchanges.push(await post(message))
        return exchanges
      })
    },
    snapshot: () => Promise.resolve(world.snapshot()),
    snapshotLines: world.snapshotLines,
    restore: world.restore,
    beginRestore: world.beginRestore,
    reset: world.reset,
  }
}

/** Throws the current problem of the store, because the sandbox must not send a change that it cannot record. */
function refuseWhileProblem({ problem }: Store): void {
  if (problem) throw problem
}
