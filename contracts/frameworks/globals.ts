import { isError } from '../../spec/errors.ts'
import { UsageError } from '../../sandbox/internal.ts'
import type { Config } from '../config/config.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'
import { CONCLUSION, createSharedRun, ReceiverError, TEST_LIMIT_MS, type SharedRun } from './shared-run.ts'

export type { Config } from '../config/config.ts'
export { ReceiverError } from './shared-run.ts'

type Define = (name: string, run: () => Promise<void>, limitMs?: number) => unknown

export interface DefineTest extends Define {
  readonly skip?: Define
  readonly concurrent?: Define
  /** Defines a test for a known failure. The test passes if its function throws. */
  readonly failing?: Define
}

/** Defines a hook with an optional time limit. node:test expects an options object instead of a number. */
type DefineHook = (run: () => Promise<void>, ...limit: never[]) => unknown

export interface TestFunctions {
  readonly describe: (name: string, define: () => void) => unknown
  readonly test: DefineTest
  readonly it: DefineTest
  readonly afterAll: DefineHook
  readonly after: DefineHook
}

/**
 * Defines one test per check, on one shared run. `describe` and `test` are global (Jest, Mocha) or passed in. Throws for an
 * invalid configuration.
 */
export function describeReceiver(config: Config, given: Partial<TestFunctions> = {}): void {
  const { describe, test, afterAll, repeat } = findTestFunctions(given)
  const run = createSharedRun(config, repeat)
  const { first, alone, last } = run.plan
  // The first test opens the run, because some frameworks start concurrent tests before their `beforeAll` hooks.
  let opened: Promise<void> | undefined
  const open = () => (opened ??= run.open())
  describe(run.title, () => {
    for (const check of first) defineTest(check, { run, open, test, define: test.concurrent ?? test })
    for (const check of [...alone, ...last]) defineTest(check, { run, open, test, define: test })
    test(CONCLUSION, limited(run.conclude), TEST_LIMIT_MS)
    afterAll(limited(run.close), TEST_LIMIT_MS)
  })
}

const NAMES = ['describe', 'test', 'it', 'afterAll', 'after'] as const

/** Returns the given functions, or the global functions by default. Throws UsageError if a function is missing. */
export function findTestFunctions(given: Partial<TestFunctions>) {
  // The TLS of Bun and Deno lacks features that the checks need.
  if (Reflect.has(globalThis, 'Bun') || Reflect.has(globalThis, 'Deno'))
    throw new UsageError(
      'Cannot describe the receiver: the checks run only in Node. Use "hookbench/node-test" with "node --test", or run "npx hookbench check"',
    )
  const globals: Partial<TestFunctions> = Object.fromEntries(
    NAMES.map((name) => [name, Reflect.get(globalThis, name) as unknown] as const).filter(
      ([, found]) => typeof found === 'function',
    ),
  )
  const all = { ...globals, ...given }
  const { describe, test = all.it, afterAll = all.after } = all
  if (!describe || !test || !afterAll) {
    const missing = Object.entries({ describe, test, afterAll }).flatMap(([name, found]) =>
      found ? [] : [name],
    )
    throw new UsageError(
      `Cannot describe the receiver: there is no global ${missing.join(' and no global ')}. ` +
        'Pass them as describeReceiver(config, { describe, test, afterAll })',
    )
  }
  return {
    describe,
    test,
    afterAll: afterAll as (run: () => Promise<void>, limitMs: number) => unknown,
    repeat: repeatCommand(globals),
  }
}

/**
 * Returns the command that repeats one test. The function names reveal the framework: `test` and `afterAll` for Jest, `it` and
 * `after` for Mocha.
 */
function repeatCommand({ test, afterAll, it, after }: Partial<TestFunctions>): (id: string) => string {
  if (test && afterAll) return (id) => `npx jest -t '${id}:'`
  return it && after ? (id) => `npx mocha --grep '${id}:'` : (id) => `your tests    with checks: ['${id}']`
}

interface TestPlace {
  readonly run: SharedRun
  readonly open: () => Promise<void>
  readonly test: DefineTest
  readonly define: Define
}

function defineTest(check: ReceiverCheck, { run, open, test, define }: TestPlace): void {
  const name = `${check.id}: ${check.requirement}`
  const judge = async () => {
    await open()
    return run.test(check)
  }
  const reason = run.skipReason(check)
  if (reason !== undefined && test.skip) test.skip(`${name} (${reason})`, limited(judge), TEST_LIMIT_MS)
  else if (run.isKnownFailure(check) && test.failing)
    test.failing(name, limited(throwing(judge)), TEST_LIMIT_MS)
  else define(name, limited(judge, check.id), TEST_LIMIT_MS)
}

/** Returns a test that throws for a known failure. Prints any other error, because the framework would hide it. */
function throwing(judge: () => Promise<string | undefined>): () => Promise<void> {
  return async () => {
    const why = await judge().catch((error: unknown) => {
      console.warn(isError(error) ? error.message : error)
      return undefined
    })
    if (why !== undefined) throw new ReceiverError(why)
  }
}

/** Returns a test function without parameters. With parameters, the framework would pass a `done` callback. */
function limited(work: () => Promise<string | undefined | void>, id?: string) {
  return async function (this: unknown, ...[context]: readonly unknown[]): Promise<void> {
    // In Mocha, `this` can raise the timeout of a running test.
    call(this, 'timeout', TEST_LIMIT_MS)
    const reason = await work()
    if (typeof reason === 'string' && id !== undefined) skipWhileRunning(reason, { id, self: this, context })
  }
}

interface RunningTest {
  /** The check id, to print if the framework cannot show the reason for a skipped test. */
  readonly id: string
  readonly self: unknown
  readonly context: unknown
}

/** Skips the running test through its context (node:test) or `this` (Mocha). In other frameworks, prints the reason. */
export function skipWhileRunning(reason: string, { id, self, context }: RunningTest): void {
  if (call(context, 'skip', reason)) return
  // Mocha shows no reason for a skipped test, so the reason is added to the title.
  const test: unknown = readField(self, 'test')
  const title = readField(test, 'title')
  if (typeof test === 'object' && test !== null && typeof title === 'string')
    Reflect.set(test, 'title', `${title} (${reason})`)
  if (!call(self, 'skip', reason)) console.warn(`${id}: ${reason}`)
}

/** Calls a method, and returns false if the method does not exist. Mocha's `skip` ends the test with an exception. */
function call(from: unknown, name: string, argument: unknown): boolean {
  const method = readField(from, name)
  if (typeof method !== 'function') return false
  Reflect.apply(method, from, [argument])
  return true
}

function readField(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined
}
