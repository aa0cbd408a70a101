import type { Ports } from '../engine/core/ports.ts'
import type { WorldPause } from '../engine/state/world-directory.ts'
import type { Scheduler } from './scheduler.ts'
import type { Wiring } from './wiring.ts'

/** A world in which nothing is under way, and how it goes on from there when it is opened again. */
export interface Standstill {
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

export function createStandstill(
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
