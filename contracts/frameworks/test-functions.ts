import { UsageError } from '../../sandbox/internal.ts'

type Define = (name: string, run: () => Promise<void>, limitMs?: number) => unknown

/** The functions of a test framework. */
export interface TestFunctions {
  readonly describe: (name: string, define: () => void) => unknown
  readonly test: DefineTest
  readonly it: DefineTest
  readonly afterAll: DefineHook
  readonly after: DefineHook
}

/** A hook with an optional limit. node:test expects an object of options instead of a number. */
type DefineHook = (run: () => Promise<void>, ...limit: never[]) => unknown

export interface DefineTest extends Define {
  readonly skip?: Define
  readonly concurrent?: Define
  /** Defines a test of a known failure, which passes if its function throws. */
  readonly failing?: Define
}

type Runtime = 'node' | 'bun' | 'deno'

export interface FoundFunctions extends Pick<TestFunctions, 'describe' | 'test'> {
  readonly afterAll: (run: () => Promise<void>, limitMs: number) => unknown
  readonly repeat: (id: string) => string
  readonly runtime: Runtime
}

/** Returns the given functions, completed by global functions. Throws UsageError if a function is missing. */
export function findTestFunctions(given: Partial<TestFunctions>): FoundFunctions {
  const globals = globalFunctions()
  const all: Partial<TestFunctions> = { ...globals, ...given }
  const { describe, test = all.it, afterAll = all.after } = all
  if (!describe || !test || !afterAll) {
    const missing = Object.entries({ describe, test, afterAll }).flatMap(([name, found]) =>
      found ? [] : [name],
    )
    throw new UsageError(
      `Cannot describe the receiver: there is no global ${missing.join(' and no global ')}. ` +
        'Pass them as describeReceiver(config, { describe, test, afterAll }), in Bun from "bun:test"',
    )
  }
  const runtime = findRuntime()
  return {
    describe,
    test,
    afterAll: afterAll as FoundFunctions['afterAll'],
    runtime,
    repeat: repeatCommand(globals, runtime),
  }
}

const NAMES = ['describe', 'test', 'it', 'afterAll', 'after'] as const

function globalFunctions(): Partial<TestFunctions> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const found: unknown = Reflect.get(globalThis, name)
      return typeof found === 'function' ? [[name, found]] : []
    }),
  )
}

function findRuntime(): Runtime {
  if (Reflect.has(globalThis, 'Bun')) return 'bun'
  return Reflect.has(globalThis, 'Deno') ? 'deno' : 'node'
}

/** Returns the command that repeats one test. Jest has `test` and `afterAll`, Mocha has `it` and `after`. */
function repeatCommand(
  { test, afterAll, it, after }: Partial<TestFunctions>,
  runtime: Runtime,
): (id: string) => string {
  if (runtime === 'bun') return (id) => `bun test -t '${id}:'`
  // The filter of Deno applies only to the name of the outermost suite.
  if (runtime === 'deno') return (id) => `deno test -A    with checks: ['${id}']`
  if (test && afterAll) return (id) => `npx jest -t '${id}:'`
  return it && after ? (id) => `npx mocha --grep '${id}:'` : (id) => `your tests    with checks: ['${id}']`
}
