import { isError } from '../../spec/errors.ts'
import type { Config } from '../config/config.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'
import { runInNode } from './run-in-node.ts'
import { CONCLUSION, createSharedRun, ReceiverError, TEST_LIMIT_MS, type SharedRun } from './shared-run.ts'
import {
  findTestFunctions,
  type DefineTest,
  type FoundFunctions,
  type TestFunctions,
} from './test-functions.ts'

export type { Config } from '../config/config.ts'
export type { TestFunctions } from './test-functions.ts'
export { ReceiverError } from './shared-run.ts'

/**
 * One test for each check, on one run that they share, where `describe` and `test` are global (Jest, Mocha) or handed in (Bun, Deno).
 * Bun and Deno lack parts of Node's TLS that a run needs: there Node is started for it. Throws for a wrong configuration.
 */
export function describeReceiver(config: Config, given: Partial<TestFunctions> = {}): void {
  const functions = findTestFunctions(given)
  const { describe, test, afterAll, repeat, runtime } = functions
  const own = createSharedRun(config, repeat)
  const run = runtime === 'node' ? own : runInNode(own, { config, repeat: repeat('{id}'), program: PROGRAM })
  const { first, alone, last } = run.plan
  const open = openOnce(run)
  describe(run.title, () => {
    for (const check of first) defineTest(check, { run, open, functions, define: test.concurrent ?? test })
    for (const check of [...alone, ...last]) defineTest(check, { run, open, functions, define: test })
    test(CONCLUSION, limited(run.conclude), TEST_LIMIT_MS)
    afterAll(limited(run.close), TEST_LIMIT_MS)
  })
}

/** The program that runs checks for other runtimes, next to this file: as sources, and as they are built. */
const PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? './serve-run.ts' : './serve-run.js',
  import.meta.url,
)

interface TestPlace {
  readonly run: SharedRun
  readonly open: () => Promise<void>
  readonly functions: Pick<FoundFunctions, 'test' | 'runtime'>
  readonly define: NonNullable<DefineTest['concurrent']>
}

function defineTest(check: ReceiverCheck, { run, open, functions, define }: TestPlace): void {
  const { test, runtime } = functions
  const name = `${check.id}: ${check.requirement}`
  const judge = async () => {
    await open()
    return run.test(check)
  }
  const reason = run.skipReason(check)
  if (reason !== undefined && test.skip) test.skip(`${name} (${reason})`, limited(judge), TEST_LIMIT_MS)
  else if (run.isKnownFailure(check) && test.failing)
    test.failing(name, limited(throwing(judge)), TEST_LIMIT_MS)
  else define(name, limited(judge, { id: check.id, runtime }), TEST_LIMIT_MS)
}

/** Some frameworks begin tests that run side by side before their hooks: so it is opened by the first test. */
function openOnce({ open }: SharedRun): () => Promise<void> {
  let opened: Promise<void> | undefined
  return () => (opened ??= open())
}

/** Throws what is known to fail. What is wrong with that is printed, and the framework says that nothing failed. */
function throwing(judge: () => Promise<string | undefined>): () => Promise<void> {
  return async () => {
    const why = await judge().catch((error: unknown) => {
      console.warn(isError(error) ? error.message : error)
      return undefined
    })
    if (why !== undefined) throw new ReceiverError(why)
  }
}

interface SkippableTest extends Pick<FoundFunctions, 'runtime'> {
  readonly id: string
}

/** What a framework calls, which takes no parameter by name: that would be a callback to be called at the end. */
function limited(work: () => Promise<string | undefined | void>, skippable?: SkippableTest) {
  return async function (this: unknown, ...[given]: readonly unknown[]): Promise<void> {
    raiseLimit(this, TEST_LIMIT_MS)
    const reason = await work()
    if (typeof reason !== 'string' || !skippable) return
    const { id, runtime } = skippable
    // What Deno hands on skips nothing.
    const [self, context] = runtime === 'deno' ? [] : [this, given]
    skipWhileRunning(reason, { id, self, context })
  }
}

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
