import { createClock } from '../../../../sandbox/adapters/clock.ts'
import { assemble, type Assembled } from '../../../../sandbox/compose/assemble.ts'
import type { Dependencies } from '../../../../sandbox/compose/wiring.ts'
import type { Clock, Ports } from '../../../../sandbox/engine/core/ports.ts'
import { defaultSettings } from '../../../../sandbox/engine/core/settings.ts'
import { createEgress } from '../../../../sandbox/engine/delivery/egress.ts'
import type { StorageError } from '../../../../sandbox/engine/state/storage-error.ts'
import type { Store } from '../../../../sandbox/engine/state/store.ts'
import { BENCH_TOKEN, TOKEN_KEY } from './platform.ts'
import type { Behaviour } from './receivers.ts'
import type { OpenOptions, SimulatedDisk } from './simulated-disk.ts'

export const START = Date.parse('2026-01-01T00:00:00.000Z')
export const OWN_PORTS = [4010, 4011]

/** What does not change during a run. */
export interface Setup {
  readonly readings: Readonly<Record<string, string>>
  /** Whether what is written takes time to be safe from a loss of power. */
  readonly slowDisk: boolean
  readonly concurrency: number
  /** Of the receivers, until a command sets another one. */
  readonly behaviours: readonly Behaviour[]
  /** The generation and type, `webhooks/items`, whose receivers never answer a notification. */
  readonly hanging?: string
  /** What all is drawn from that is not planned: ids, and in which order things under way go on. */
  readonly chance: number
}

/** How a planted bug changes what the sandbox is made of. Each is called anew for each incarnation. */
export interface Plant {
  readonly disk?: NonNullable<OpenOptions['plant']>
  readonly store?: (store: Store, clock: () => Clock) => Store
  readonly dependencies?: (dependencies: Dependencies) => Dependencies
  readonly assembled?: (assembled: Assembled) => Assembled
  /** What the clock shows first, in place of the latest time on record. */
  readonly startAt?: (latestAt: number) => number
}

/** A sandbox in one process, from its start to its end. */
export interface Incarnation {
  readonly assembled: Assembled
  readonly clock: Clock
}

export interface IncarnationPorts extends Pick<Ports, 'realTime' | 'transport' | 'random'> {
  readonly disk: Pick<SimulatedDisk, 'open'>
  readonly onError: (where: string, error: unknown) => void
  readonly onStorage: (problem: StorageError | undefined) => void
}

/** A sandbox as `up` makes it, on simulated ports and a clock that is moved by hand. */
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
