import type { Cut } from './cut.ts'
import type { SimulatedTime } from './simulated-time.ts'

/** Something under way outside the process: an answer, or the disk. */
interface Event {
  readonly kind: 'answer' | 'disk'
  readonly run: () => void
}

/** What is under way outside the process, and in which order it goes on. */
export interface UnderWay {
  add(event: Event): void
  /** Lets everything go on until the promise is settled. `crashed` if the process ended before. */
  drive(promise: Promise<unknown>): Promise<'settled' | 'crashed'>
  /** Lets at most so many things that are under way go on. */
  goOn(most: number): Promise<void>
  /** Lets time, and what is under way, go on while it is needed and the process is not cut off. */
  goOnWhile(isNeeded: () => boolean): Promise<void>
  /** Lets the disk keep all that was written. */
  flush(): Promise<void>
  /** Forgets everything: the process has ended. */
  clear(): void
}

export interface UnderWayPorts {
  readonly time: SimulatedTime
  readonly cut: Pick<Cut, 'isCut' | 'atEvent'>
  readonly choose: () => number
}

/** Far more than any command sets off. */
const MOST_EVENTS = 5_000

/** Lets everything run that is ready. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

export function createUnderWay({ time, cut, choose }: UnderWayPorts): UnderWay {
  let events: Event[] = []

  /** Lets one thing go on that is under way; if none is, real time goes on. */
  function goOnOnce(): boolean {
    const [event] = events.splice(Math.floor(choose() * events.length), 1)
    if (!event) return time.goOn()
    event.run()
    return true
  }

  return {
    add: (event) => void events.push(event),
    async drive(promise) {
      const settled = { yet: false }
      const watched = promise.finally(() => (settled.yet = true))
      watched.catch(() => {})
      for (let count = 0; count < MOST_EVENTS; count++) {
        await turn()
        if (cut.isCut) return 'crashed'
        if (settled.yet) {
          await watched
          return 'settled'
        }
        if (cut.atEvent()) return 'crashed'
        if (!goOnOnce()) throw new Error('Nothing is under way that a call still waits for')
      }
      throw new Error(`A call did not end within ${MOST_EVENTS} events`)
    },
    async goOn(most) {
      for (let count = 0; count < most; count++) {
        await turn()
        if (cut.isCut || events.length === 0) return
        goOnOnce()
      }
      await turn()
    },
    async goOnWhile(isNeeded) {
      for (let count = 0; !cut.isCut && isNeeded() && count < MOST_EVENTS; count++) {
        await turn()
        // A sync can take longer than the time until the next test for room.
        if (choose() < 0.5 || !time.goOn()) goOnOnce()
      }
    },
    async flush() {
      for (await turn(); events.some(({ kind }) => kind === 'disk'); await turn())
        for (const event of events.splice(0)) {
          if (event.kind === 'disk') event.run()
          else events.push(event)
        }
    },
    clear() {
      events = []
    },
  }
}
