/** An instant of the node's own clock, which nobody moves, that is put off again and again. */
export interface Deadline {
  readonly leftMs: number
  /** Not before `durationMs` after `from`. */
  putOff(from: number): void
  /** It has passed, and calls nobody back. */
  end(): void
}

/** Calls back each time when it has passed. Keeps no process alive. */
export function createDeadline(from: number, durationMs: number, onPassed: () => void): Deadline {
  let at = from + durationMs
  let timer: NodeJS.Timeout | undefined
  arm()

  /** Once for as long as is left, and again then if it was put off meanwhile. */
  function arm(): void {
    timer ??= setTimeout(look, Math.max(0, at - performance.now()) + 1).unref()
  }

  function look(): void {
    timer = undefined
    if (performance.now() >= at) onPassed()
    else arm()
  }

  return {
    get leftMs() {
      return at - performance.now()
    },
    putOff(later) {
      at = Math.max(at, later + durationMs)
      arm()
    },
    end() {
      clearTimeout(timer)
      at = 0
    },
  }
}
