import { isError } from '../../spec/errors.ts'
import type { Config } from '../config/config.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'
import { runInNode } from './run-in-node.ts'
import { raiseLimit, skipWhileRunning } from './running-test.ts'
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

/** The program that runs checks for other runtimes, beside this file: as sources, and as they are built. */
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
