import type { ObjectRef } from '../finding.ts'
import type { RunOptions } from '../toolkit/options.ts'
import type { SeenDelay } from '../toolkit/ports.ts'

/** An effect may come so many times as late as the latest that was seen. */
const MOST_DELAYS = 3
/** Where nothing may happen, what comes as late as the latest has to show, too. */
const WINDOW_DELAYS = 1.5
/** Between two notifications, a quick receiver rests as long as this. */
const LEAST_PACE_MS = 150
/** A receiver that does not rest is waited for so many times as long as an effect may take. */
const RESTLESS_TIMES = 4
/** However late effects come: none is waited for longer than so many times the configured time. */
const MOST_TIMES = 2
/** After so many effects on a type that never came, and none that did, the next is hardly waited for. */
const ENOUGH_IN_VAIN = 8

/** How late the effects of a receiver come, as far as they were seen in this run. All its checks add to it and wait by it. */
export interface EffectDelay {
  /** An effect came so many real milliseconds after its message was accepted. */
  note(ms: number): void
  /** An effect on an object of this type was due and did not come in the time that it had. */
  noteInVain(type: string): void
  /** There is an effect on an object of this type, whenever it came. */
  noteEffect(type: string): void
  /** Of effects on objects of this type; of any type without. */
  readonly seen: (type?: string) => SeenDelay
  /** A receiver did not rest in the time that it had: from now on it gets no more than one that rests. */
  noteRestless(): void
  /** How long a receiver is waited for that does not rest. `restMs` is how long it should have rested. */
  readonly mostMs: (restMs: number | undefined) => number
  /** How long an effect on an object of this type is waited for; of any type without. */
  readonly waitMs: (type?: string) => number
  /** How long nothing may happen where nothing may; no longer than an effect may take. */
  readonly windowMs: () => number
  /** How long the receiver rests between two notifications that are not to be worked off together. */
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

/** What one check sees of how late effects come. */
export interface EffectTimes {
  /** The receiver has accepted a message about it. */
  accepted(target: ObjectRef): void
  /** The service or the receiver was interfered with: what is late from now on is late for that. */
  interfered(): void
  /** To be told of each count of effects as it is read; returns the next function to tell. */
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
        // What is there at the first look came at once, or nobody knows when.
        const from = before === undefined ? now : acceptedAt.get(nameOf(target))
        if (isUsual && from !== undefined && effects > (before ?? 0)) delay.note(now - from)
        before = effects
      }
    },
  }
}
