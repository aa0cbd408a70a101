import { createActs } from './actions.ts'
import type { ControlContext } from '../api/control/operation.ts'
import { createAdvance, type Advance } from './advance.ts'
import { createApiFaults } from '../engine/faults/api-faults.ts'
import { createDeliveryFaults } from '../engine/faults/delivery-faults.ts'
import { createHolds } from '../engine/faults/holds.ts'
import { createMatcher } from '../engine/faults/matcher.ts'
import { createAccessTokens } from '../api/http/access-tokens.ts'
import type { Parts } from './dependencies.ts'
import { groundOf, type Ground } from './wiring.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createMotion, type Motion } from './scheduler.ts'
import { isLacking } from '../api/operations/simulation.ts'
import { aboutObject } from '../api/operations/webhook-jobs.ts'
import type { Payment } from '../engine/state/payment.ts'
import { createPosts } from '../engine/core/in-flight-counter.ts'
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
  /** Takes the next step of a payment now; the payment as it then stands. */
  readonly nextStep: (payment: Payment) => Promise<Payment>
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

export function assemble(parts: Parts): Assembled {
  const { clock } = parts.ports
  const ground = groundOf(parts)
  const { store, context, commit } = ground
  const faults = faultsOf(parts, ground)
  const newMotion = () => motionOf(parts, ground, faults)
  const listeners = new Set<() => void>()
  let motion = newMotion()
  let stopped = false
  const advance = createAdvance({
    clock,
    store,
    attempts: () => motion.dispatcher.attempts,
    nextDueAt: () => motion.nextDueAt(),
    idle: () => motion.idle(),
    stopped: () => stopped,
  })
  const world = worldOf(parts, ground, {
    refuseWhile: () => advance.refuseWhileUnderWay('replace the world'),
    onReplaced() {
      motion.abandon()
      faults.holds.letAllGo()
      motion = newMotion()
      motion.start()
      for (const listener of listeners) listener()
    },
  })

  return {
    ...listenersOf(parts, ground, { faults, motion: () => motion, world, advance }),
    store,
    commit,
    context,
    advance: advance.to,
    nextStep: (payment) => motion.player.next(payment),
    start: () => motion.start(),
    idle: () => motion.idle(),
    onReplaced: (listener) => void listeners.add(listener),
    hangUp: () => ground.closing.abort(),
    async close() {
      stopped = true
      ground.closing.abort()
      faults.holds.letAllGo()
      await motion.stop()
      const stoppedAt = { head: { kind: 'clock', at: clock.now() }, body: '' } as const
      await store.commit([stoppedAt]).catch((error: unknown) => parts.onError('close', error))
      store.close()
    },
  }
}

type Faults = ReturnType<typeof faultsOf>

function faultsOf({ ports, onError }: Parts, { store, commit }: Ground) {
  const holds = createHolds(ports.realTime, (id) => store.faults().some((fault) => fault.id === id))
  store.subscribe((head) => head.kind === 'fault-end' && holds.letGo({ faultId: head.fault_id }))
  const note = (writes: readonly Write[]) =>
    void commit(writes).catch((error: unknown) => onError('the count of a fault', error))
  return { holds, posts: createPosts(), matching: createMatcher({ view: store, note }) }
}

function motionOf(
  parts: Parts,
  { store, context, commit }: Ground,
  { holds, posts, matching }: Faults,
): Motion {
  const isAbout = (id: string, job: JobRecord) => aboutObject(id, store)(job)
  return createMotion({
    ...parts.ports,
    ...context,
    store,
    context,
    commit,
    holds,
    posts,
    faults: createDeliveryFaults({ matching, holds, isAbout, view: store }),
    concurrency: parts.concurrency,
    onAttempt: parts.onAttempt,
    onError: parts.onError,
  })
}

function worldOf(
  { ports, egress }: Parts,
  { store, readings, requests, events, unheard }: Ground,
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
      unheard.forget()
      onReplaced()
      events.tellReplaced(reason)
    },
  })
}

interface Moving {
  readonly faults: Faults
  readonly motion: () => Motion
  readonly world: World
  readonly advance: Advance
}

function listenersOf(
  { ports, settings, egress, tokenKey, benchToken, onError }: Parts,
  { store, requests, context, commit, closing }: Ground,
  { faults, motion, world, advance }: Moving,
): Listeners {
  const accessTokens = createAccessTokens(tokenKey, ports.realTime, context.newId)
  const { holds, posts, matching } = faults
  const { to, refuseWhileUnderWay: refuseWhileAdvancing } = advance
  return createListeners({
    context,
    requests,
    realTime: ports.realTime,
    closing: closing.signal,
    keys: { accessTokens, credentials: settings.credentials, benchToken },
    isLacking: (operation) => isLacking(operation, context.readings),
    judgeUrl(raw) {
      const target = egress.judgeUrl(raw)
      return target.kind === 'refused' ? target.refusal.message : undefined
    },
    acts: createActs({
      ...ports,
      store,
      context,
      commit,
      accessTokens,
      holds,
      posts,
      motion,
      world,
      refuseWhileAdvancing,
      advance: to,
    }),
    misbehave: createApiFaults({ ...context, matching, holds }),
    commit,
    onError,
  })
}
