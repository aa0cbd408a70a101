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
 * Defines one test per check, on one shared run. `describe` and `test` are global (Jest, Mocha) or passed in (Bun, Deno). On Bun
 * and Deno, the run is a Node process, because their TLS lacks features. Throws for an invalid configuration.
 */
export function describeReceiver(config: Config, given: Partial<TestFunctions> = {}): void {
  const functions = findTestFunctions(given)
  const { describe, test, afterAll, repeat, runtime } = functions
  const own = createSharedRun(config, repeat)
  const run = runtime === 'node' ? own : runInNode(own, { config, repeat: repeat('{id}'), program: PROGRAM })
  const { first, alone, last } = run.plan
  // The first test opens the run, because some frameworks start concurrent tests before hooks.
  let opened: Promise<void> | undefined
  const open = () => (opened ??= run.open())
  describe(run.title, () => {
    for (const check of first) defineTest(check, { run, open, functions, define: test.concurrent ?? test })
    for (const check of [...alone, ...last]) defineTest(check, { run, open, functions, define: test })
    test(CONCLUSION, limited(run.conclude), TEST_LIMIT_MS)
    afterAll(limited(run.close), TEST_LIMIT_MS)
  })
}

/** The Node program that runs the checks for other runtimes. The Node program is next to this file in the sources and in the build. */
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

/**
 * Returns a function that throws if a known failure still fails. If another error occurs, prints the error, because the framework
 * only reports that the test did not fail.
 */
function throwing(judge: () => Promise<string | undefined>): () => Promise<void> {
  return async () => {
    const why = await judge().catch((error: unknown) => {
      console.warn(isError(error) ? error.message : error)
      return undefined
    })
    if (why !== undefined) throw new ReceiverError(why)
  }
}

/**
 * Returns the function of a test. The test function has no named parameter, because frameworks pass a callback to functions with
 * parameters.
 */
function limited(
  work: () => Promise<string | undefined | void>,
  skippable?: Pick<FoundFunctions, 'runtime'> & { readonly id: string },
) {
  return async function (this: unknown, ...[given]: readonly unknown[]): Promise<void> {
    raiseLimit(this, TEST_LIMIT_MS)
    const reason = await work()
    if (typeof reason !== 'string' || !skippable) return
    const { id, runtime } = skippable
    // In Deno, a running test cannot be skipped.
    const [self, context] = runtime === 'deno' ? [] : [this, given]
    skipWhileRunning(reason, { id, self, context })
  }
}

interface RunningTest {
  /** The id of the check, which is printed if the framework cannot show the reason. */
  readonly id: string
  readonly self: unknown
  readonly context: unknown
}

/** Skips the test through its context (node:test) or `this` (Mocha). Prints the reason in other frameworks. */
export function skipWhileRunning(reason: string, { id, self, context }: RunningTest): void {
  if (callSkip(context, reason)) return
  // Mocha shows no reason for a skipped test, so the reason is added to the title.
  const test: unknown = readField(self, 'test')
  const title = readField(test, 'title')
  if (typeof test === 'object' && test !== null && typeof title === 'string')
    Reflect.set(test, 'title', `${title} (${reason})`)
  if (!callSkip(self, reason)) console.warn(`${id}: ${reason}`)
}

/** Calls `skip` and returns true if there is such a function. The `skip` function of Mocha throws. */
function callSkip(from: unknown, reason: string): boolean {
  const skip = readField(from, 'skip')
  if (typeof skip !== 'function') return false
  Reflect.apply(skip, from, [reason])
  return true
}

/** Raises the timeout through `this`, as Mocha requires. */
export function raiseLimit(self: unknown, limitMs: number): void {
  const timeout = readField(self, 'timeout')
  if (typeof timeout === 'function') Reflect.apply(timeout, self, [limitMs])
}

function readField(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined
}
