import type { ReceiverCheck } from '../toolkit/check-context.ts'

/** The checks of a run that last as long as it. */
export interface SpanningChecks<Result> {
  /** Resolves when the check waits for the others, or is over. */
  begin(check: ReceiverCheck): Promise<void>
  /** Lets it go on, and begins it first if nobody has. */
  end(check: ReceiverCheck): Promise<Result>
}

/** `run` puts a check to the receiver; the check calls the function that it is handed to wait for the others. */
export function createSpanningChecks<Result>(
  run: (check: ReceiverCheck, untilEnd: () => Promise<void>) => Promise<Result>,
): SpanningChecks<Result> {
  const begun = new Map<string, Begun<Result>>()

  function start(check: ReceiverCheck): Begun<Result> {
    const waiting = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const result = run(check, () => {
      waiting.resolve()
      return released.promise
    })
    return { waiting: waiting.promise, result, release: released.resolve }
  }

  return {
    async begin(check) {
      const started = start(check)
      begun.set(check.id, started)
      await Promise.race([started.waiting, started.result])
    },
    end(check) {
      const { result, release } = begun.get(check.id) ?? start(check)
      begun.delete(check.id)
      release()
      return result
    },
  }
}

interface Begun<Result> {
  /** Resolves when the check waits for the others. */
  readonly waiting: Promise<void>
  readonly result: Promise<Result>
  readonly release: () => void
}
