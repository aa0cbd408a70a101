import type { ObjectRef } from '../finding.ts'
import type { RunOptions } from '../toolkit/options.ts'

/** The maximum wait for an effect, as a multiple of the longest observed delay. */
const MAX_DELAYS = 3
/** The wait for repeated effects, as a multiple of the longest observed delay. */
const WINDOW_DELAYS = 1.5
/** The shortest pause between two notifications in milliseconds, for a fast receiver. */
const MIN_PACE_MS = 150
/** The maximum wait for a receiver that never becomes idle, as a multiple of the wait for an effect. */
const RESTLESS_TIMES = 4
/** The maximum length of a wait, as a multiple of the configured time. */
const MAX_TIMES = 2
/** After this number of missing effects on objects of one type, checks wait less for effects on such objects. */
const ENOUGH_IN_VAIN = 8

export function createEffectDelay({ settleMs, windowMs }: Pick<RunOptions, 'settleMs' | 'windowMs'>) {
  let latestMs: number | null = null
  let isRestless = false
  const inVain: string[] = []
  const acted = new Set<string>()
  const patienceMs = () => Math.max(settleMs, Math.min(MAX_DELAYS * (latestMs ?? 0), MAX_TIMES * settleMs))
  const isHopeless = (type: string) =>
    !acted.has(type) && inVain.filter((each) => each === type).length >= ENOUGH_IN_VAIN
  const waitMs = (type?: string) =>
    type !== undefined && isHopeless(type) ? Math.min(windowMs, patienceMs()) : patienceMs()
  return {
    /** Records the delay of an effect: the real milliseconds after the receiver accepted the message. */
    note(ms: number) {
      latestMs = Math.max(latestMs ?? 0, ms)
    },
    /** Records that an effect on this object type did not appear in time. */
    noteInVain: (type: string) => void inVain.push(type),
    noteEffect: (type: string) => void acted.add(type),
    seen: (type?: string) => ({
      latestMs: type === undefined || acted.has(type) ? latestMs : null,
      waitedMs: patienceMs(),
    }),
    /** Records that the receiver did not become idle in time. From then on, checks use a shorter wait. */
    noteRestless() {
      isRestless = true
    },
    /** Returns the maximum wait for a receiver that does not become idle. `restMs` is the expected idle time. */
    mostMs: (restMs: number | undefined) =>
      isRestless ? (restMs ?? waitMs()) : RESTLESS_TIMES * Math.max(waitMs(), restMs ?? 0),
    waitMs,
    paceMs: () => Math.min(windowMs, Math.max(MIN_PACE_MS, MAX_DELAYS * (latestMs ?? windowMs))),
    /** Returns the time to wait for repeated effects, which is usually not longer than `waitMs`. */
    windowMs: () => Math.max(windowMs, Math.min(WINDOW_DELAYS * (latestMs ?? 0), settleMs)),
  }
}

/** The measured delay of effects for all checks of a run. The waiting times of checks depend on this delay. */
export type EffectDelay = ReturnType<typeof createEffectDelay>

export function createEffectTimes(delay: EffectDelay, elapsed: () => number) {
  const acceptedAt = new Map<string, number>()
  let isUsual = true
  const nameOf = ({ type, id }: ObjectRef) => `${type}/${id}`
  return {
    accepted: (target: ObjectRef) => void acceptedAt.set(nameOf(target), elapsed()),
    /** Records a fault. The fault delays later effects, so the delays of these effects are not measured. */
    interfered() {
      isUsual = false
    },
    /** Measures the delay of new effects. After each read, call the returned function with the number of effects. */
    watch(target: ObjectRef) {
      let before: number | undefined
      return (effects: number) => {
        const now = elapsed()
        // If the first read already shows an effect, its delay is unknown and counts as 0.
        const from = before === undefined ? now : acceptedAt.get(nameOf(target))
        if (isUsual && from !== undefined && effects > (before ?? 0)) delay.note(now - from)
        before = effects
      }
    },
  }
}

export type EffectTimes = ReturnType<typeof createEffectTimes>
