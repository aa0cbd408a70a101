import { Readable } from 'node:stream'
import { createClock } from '../../../../sandbox/adapters/clock.ts'
import { assemble, type Assembled } from '../../../../sandbox/compose/assemble.ts'
import type { Dependencies } from '../../../../sandbox/compose/wiring.ts'
import type { Clock, Ports, RealTime } from '../../../../sandbox/engine/core/ports.ts'
import { defaultSettings } from '../../../../sandbox/engine/core/settings.ts'
import { createEgress } from '../../../../sandbox/engine/delivery/egress.ts'
import { StorageError } from '../../../../sandbox/engine/state/storage-error.ts'
import type { Store } from '../../../../sandbox/engine/state/store.ts'
import { type Behaviour, BENCH_TOKEN, type Platform, TOKEN_KEY } from './platform.ts'
import type { OpenOptions, SimulatedDisk } from './simulated-disk.ts'

export const START = Date.parse('2026-01-01T00:00:00.000Z')

export const OWN_PORTS = [4010, 4011]

export interface Setup {
  readonly readings: Readonly<Record<string, string>>
  readonly slowDisk: boolean
  readonly concurrency: number
  /** The initial behaviour of the receivers. */
  readonly behaviours: readonly Behaviour[]
  /** The generation and type, such as `webhooks/items`, for which the receiver never responds to a notification. */
  readonly hanging?: string
  /** The seed for ids and for the order of events in flight. */
  readonly chance: number
}

/** Bugs planted in the ports of a sandbox. The simulation plants these bugs in each process. */
export interface Plant {
  readonly disk?: NonNullable<OpenOptions['plant']>
  readonly store?: (store: Store, clock: () => Clock) => Store
  readonly dependencies?: (dependencies: Dependencies) => Dependencies
  readonly assembled?: (assembled: Assembled) => Assembled
  /** Returns the time at which the clock starts. Defaults to the latest recorded time. */
  readonly startAt?: (latestAt: number) => number
}

export interface Incarnation {
  readonly assembled: Assembled
  readonly clock: Clock
}

export interface IncarnationPorts extends Pick<Ports, 'realTime' | 'transport' | 'random'> {
  readonly disk: Pick<SimulatedDisk, 'open'>
  readonly onError: (where: string, error: unknown) => void
  readonly onStorage: (problem: StorageError | undefined) => void
}

/** Creates a sandbox like `up`, with simulated ports and a manual clock. */
export function createIncarnation(
  { readings, concurrency }: Setup,
  { disk, realTime, transport, random, ...listeners }: IncarnationPorts,
  plant: Plant,
): Incarnation {
  const plain = disk.open({ soon: realTime.soon, plant: plant.disk })
  const latestAt = plain.latestAt() || START
  const clock = createClock(realTime, { startAt: plant.startAt?.(latestAt) ?? latestAt, speed: 0 })
  const dependencies: Dependencies = {
    ports: { clock, realTime, transport, random, origin: () => ({ at: START, speed: 0, chance: null }) },
    store: plant.store?.(plain, () => clock) ?? plain,
    settings: { ...defaultSettings, readings },
    egress: createEgress({ allowTargets: [], ownPorts: () => OWN_PORTS }),
    tokenKey: TOKEN_KEY,
    benchToken: BENCH_TOKEN,
    serviceUrl: () => 'http://127.0.0.1:4010',
    concurrency,
    onAttempt() {},
    ...listeners,
  }
  const planted = plant.dependencies?.(dependencies) ?? dependencies
  const assembled = assemble(planted)
  return { assembled: plant.assembled?.(assembled) ?? assembled, clock: planted.ports.clock }
}

/** A simulation of real time. The simulated time jumps to the next timer when no other event is possible. */
export interface SimulatedTime extends RealTime {
  goOn(): boolean
  shiftWallClock(byMs: number): void
  clear(): void
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

export function createSimulatedTime(start: number): SimulatedTime {
  const timers = new Set<Timer>()
  let elapsed = 0
  let wallClock = start
  let order = 0
  return {
    now: () => wallClock,
    elapsed: () => elapsed,
    after(delayMs, run) {
      const timer = { at: elapsed + delayMs, order: order++, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    soon: (run) => queueMicrotask(run),
    goOn() {
      const [next] = [...timers].toSorted((a, b) => a.at - b.at || a.order - b.order)
      if (!next) return false
      timers.delete(next)
      const byMs = Math.max(0, next.at - elapsed)
      elapsed += byMs
      wallClock += byMs
      next.run()
      return true
    },
    shiftWallClock(byMs) {
      wallClock += byMs
    },
    clear: () => timers.clear(),
  }
}

export type Successor = 'saved' | 'empty'

export interface SavedWorld {
  readonly isSaved: boolean
  /** Saves a snapshot in place of the earlier snapshot. */
  save(): Promise<void>
  replaceBy(successor: Successor): Promise<void>
  /**
   * If the replacement succeeded (`isDone`), continues the history of the new world. If the replacement failed, removes the
   * events that followed the attempt.
   */
  rewind(successor: Successor, isDone: boolean): void
}

export interface SavedWorldPorts {
  readonly sandbox: () => Incarnation
  readonly platform: Pick<Platform, 'bench'>
  readonly histories: readonly unknown[][]
}

export function createSavedWorld({ sandbox, platform, histories }: SavedWorldPorts): SavedWorld {
  const snapshots = () => sandbox().assembled.snapshots
  /** The number of events in each history at the replacement. */
  let publishedAt: readonly number[] | undefined
  let saved: { readonly pieces: readonly Uint8Array[]; readonly histories: readonly unknown[][] } | undefined

  return {
    get isSaved() {
      return saved !== undefined
    },
    async save() {
      await sandbox().assembled.idle()
      const pieces: Uint8Array[] = []
      for await (const piece of snapshots().read()) pieces.push(piece)
      saved = { pieces, histories: histories.map((list) => [...list]) }
    },
    async replaceBy(successor) {
      const { assembled } = sandbox()
      publishedAt = undefined
      await assembled.idle()
      assembled.onReplaced(() => (publishedAt ??= histories.map(({ length }) => length)))
      if (successor === 'empty') await platform.bench('POST', '/reset')
      else await snapshots().putBack(Readable.from(saved?.pieces ?? []))
    },
    rewind(successor, isDone) {
      for (const [index, list] of histories.entries()) {
        const end = publishedAt?.[index] ?? list.length
        const beginning = successor === 'saved' ? (saved?.histories[index] ?? []) : []
        if (isDone) list.splice(0, end, ...beginning)
        else list.length = end
      }
    },
  }
}

/** Starts a process. Returns undefined if the disk fails. */
export function tryStart(start: () => Incarnation): Incarnation | undefined {
  try {
    return start()
  } catch (error) {
    if (error instanceof StorageError) return undefined
    throw error
  }
}
