/** A test that runs, by what its framework hands to it. */
interface RunningTest {
  /** What it is called where nothing else names it. */
  readonly id: string
  /** What `this` is. */
  readonly self: unknown
  readonly context: unknown
}

/** Skips it with the reason, as its framework can: by its context (node:test), or by what `this` is (Mocha). Else prints it. */
export function skipWhileRunning(reason: string, { id, self, context }: RunningTest): void {
  if (callSkip(context, reason)) return
  // Mocha shows the title alone.
  const test: unknown = readField(self, 'test')
  const title = readField(test, 'title')
  if (typeof test === 'object' && test !== null && typeof title === 'string')
    Reflect.set(test, 'title', `${title} (${reason})`)
  if (!callSkip(self, reason)) console.warn(`${id}: ${reason}`)
}

/** Mocha's throws. */
function callSkip(from: unknown, reason: string): boolean {
  const skip = readField(from, 'skip')
  if (typeof skip !== 'function') return false
  Reflect.apply(skip, from, [reason])
  return true
}

/** Raises the limit where it is set by what `this` is, as in Mocha. */
export function raiseLimit(self: unknown, limitMs: number): void {
  const timeout = readField(self, 'timeout')
  if (typeof timeout === 'function') Reflect.apply(timeout, self, [limitMs])
}

function readField(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined
}
