import type { ObjectRef } from '../finding.ts'
import type { RunOptions } from '../toolkit/options.ts'
import type { SeenDelay } from '../toolkit/ports.ts'

/** The wait for an effect, as a multiple of the latest seen delay. */
const MOST_DELAYS = 3
/** The window without effects, as a multiple of the latest seen delay. */
const WINDOW_DELAYS = 1.5
/** The shortest pause between two notifications, for a fast receiver. */
const LEAST_PACE_MS = 150
/** The wait for a receiver that never rests, as a multiple of the effect wait. */
const RESTLESS_TIMES = 4
/** The limit of every wait, as a multiple of the configured time. */
const MOST_TIMES = 2
/** After this many missing effects of a type, the wait gets short. */
const ENOUGH_IN_VAIN = 8

/** Measures the delay of effects for all checks of a run, and derives how long to wait. */
export interface EffectDelay {
  /** Records an effect this many real milliseconds after its accepted message. */
  note(ms: number): void
  /** Records that an effect of this type did not come in time. */
  noteInVain(type: string): void
  /** Records that this type has effects. */
  noteEffect(type: string): void
  /** Covers all types if `type` is omitted. */
  readonly seen: (type?: string) => SeenDelay
  /** Records that a receiver did not rest in time. Later waits get shorter. */
  noteRestless(): void
  /** The wait for a receiver that does not rest. `restMs` is the expected rest. */
  readonly mostMs: (restMs: number | undefined) => number
  /** The wait for an effect. Covers all types if `type` is omitted. */
  readonly waitMs: (type?: string) => number
  /** The window in which no effect may come. At most as long as `waitMs`. */
  readonly windowMs: () => number
  /** The pause between two notifications. */
  readonly paceMs: () => number
}

export function createEffectDelay({
  settleMs,
  windowMs,
}: Pick<RunOptions, 'settleMs' | 'windowMs'>): EffectDelay {
  let latestMs: number | null = null
  let isRestless = false
  const inVain: string[] = []
  const acted = new Set<string>()
  const patienceMs = () => Math.max(settleMs, Math.min(MOST_DELAYS * (latestMs ?? 0), MOST_TIMES * settleMs))
  const isHopeless = (type: string) =>
    !acted.has(type) && inVain.filter((each) => each === type).length >= ENOUGH_IN_VAIN
  const waitMs = (type?: string) =>
    type !== undefined && isHopeless(type) ? Math.min(windowMs, patienceMs()) : patienceMs()
  return {
    note(ms) {
      latestMs = Math.max(latestMs ?? 0, ms)
    },
    noteInVain: (type) => void inVain.push(type),
    noteEffect: (type) => void acted.add(type),
    seen: (type) => ({
      latestMs: type === undefined || acted.has(type) ? latestMs : null,
      waitedMs: patienceMs(),
    }),
    noteRestless() {
      isRestless = true
    },
    mostMs: (restMs) =>
      isRestless ? (restMs ?? waitMs()) : RESTLESS_TIMES * Math.max(waitMs(), restMs ?? 0),
    waitMs,
    paceMs: () => Math.min(windowMs, Math.max(LEAST_PACE_MS, MOST_DELAYS * (latestMs ?? windowMs))),
    windowMs: () => Math.max(windowMs, Math.min(WINDOW_DELAYS * (latestMs ?? 0), settleMs)),
  }
}

/** The effect delays of one check. */
export interface EffectTimes {
  accepted(target: ObjectRef): void
  /** Records a disturbance. Later effects are late because of it. */
  interfered(): void
  /** Returns a function to call with each read count of effects. */
  watch(target: ObjectRef): (effects: number) => void
}

export function createEffectTimes(delay: EffectDelay, elapsed: () => number): EffectTimes {
  const acceptedAt = new Map<string, number>()
  let isUsual = true
  const nameOf = ({ type, id }: ObjectRef) => `${type}/${id}`
  return {
    accepted: (target) => void acceptedAt.set(nameOf(target), elapsed()),
    interfered() {
      isUsual = false
    },
    watch(target) {
      let before: number | undefined
      return (effects) => {
        const now = elapsed()
        // The time of an effect that the first look already shows is unknown.
        const from = before === undefined ? now : acceptedAt.get(nameOf(target))
        if (isUsual && from !== undefined && effects > (before ?? 0)) delay.note(now - from)
        before = effects
      }
    },
  }
}
