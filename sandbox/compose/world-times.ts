import type { RealTime } from '../engine/core/ports.ts'

/** The maximum length of a timer in milliseconds. A longer timer would notice too late that the machine was asleep. */
const LONGEST_NAP_MS = 60_000

/** Calls `onDue` with each world at its time. A single timer serves all worlds. */
export function createWorldTimes(
  { now, after }: Pick<RealTime, 'now' | 'after'>,
  onDue: (id: string) => void,
) {
  const atById = new Map<string, number>()
  let cancel = () => {}
  let armedFor = Number.POSITIVE_INFINITY
  let isStopped = false

  function arm(): void {
    if (isStopped) return
    const next = Math.min(...atById.values())
    if (next === armedFor) return
    cancel()
    armedFor = next
    if (next === Number.POSITIVE_INFINITY) return
    cancel = after(Math.min(Math.max(0, next - now()), LONGEST_NAP_MS), ring)
  }

  function ring(): void {
    armedFor = Number.POSITIVE_INFINITY
    const time = now()
    const due = [...atById].filter(([, at]) => at <= time)
    for (const [id] of due) atById.delete(id)
    for (const [id] of due) onDue(id)
    arm()
  }

  return {
    /** Sets the time at which `onDue` is called with the world. Null removes the world's time. */
    set(id: string, at: number | null): void {
      if (at === null) atById.delete(id)
      else atById.set(id, at)
      arm()
    },
    stop(): void {
      isStopped = true
      cancel()
    },
  }
}
