import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, expectTypeOf, test } from 'vitest'
import { parseOptions, ScriptUsageError } from './support/script-options.ts'

const SCRIPT = {
  usage: 'npm run try   the next 100 cases',
  options: {
    cases: { type: 'whole', least: 1, default: 100 },
    from: { type: 'whole', least: 0 },
    minutes: { type: 'number', default: 30 },
    folder: { type: 'text' },
    only: { type: 'text', default: '' },
    keep: { type: 'flag' },
  },
} as const
const NAMED = { ...SCRIPT, names: { of: 'row', allowed: ['show', 'disk'] } }

const LEFT_OUT = { cases: 100, from: undefined, minutes: 30, folder: undefined, only: '', keep: false }

test('what is left out has its default', () => {
  expect(parseOptions([], SCRIPT)).toEqual({ values: LEFT_OUT, names: [] })
})

test.each([
  [['--cases', '1'], { cases: 1 }],
  [['--cases=2147483647', '--keep'], { cases: 2_147_483_647, keep: true }],
  [['--cases', '5', '--cases', '6', '--from', '0'], { cases: 6, from: 0 }],
  [['--minutes', '0.5', '--folder', '/var/x'], { minutes: 0.5, folder: '/var/x' }],
  [['--only=--keep'], { only: '--keep' }],
])('%j gives %j', (args, given) => {
  expect(parseOptions(args, SCRIPT)).toEqual({ values: { ...LEFT_OUT, ...given }, names: [] })
})

test('names stand anywhere beside the options', () => {
  expect(parseOptions(['show', '--cases', '5', 'disk'], NAMED)).toMatchObject({
    values: { cases: 5 },
    names: ['show', 'disk'],
  })
})

test('a value has the type that its option says', () => {
  const given = parseOptions([], SCRIPT)
  if (given === 'help') throw new Error('Nobody asked for help')

  expectTypeOf(given.values).toEqualTypeOf<{
    readonly cases: number
    readonly from: number | undefined
    readonly minutes: number
    readonly folder: string | undefined
    readonly only: string
    readonly keep: boolean
  }>()
})

test('help is asked for by --help', () => {
  expect(parseOptions(['--cases', '5', '--help'], SCRIPT)).toBe('help')
})

const WHOLE = 'It takes a whole number from 1 to 2147483647.'
const REAL_NUMBER = 'It takes a number above 0, at most 2147483647.'

test.each([
  ...['x', 'NaN', 'Infinity', '1.5', '1e3', '0x10', ' 5', '', '0', '-1', '2147483648', '--keep'].map(
    (value) =>
      [['--cases', value], `option '--cases <whole>' argument '${value}' is invalid. ${WHOLE}`] as const,
  ),
  ...['x', '0', '0.0', '-0.5', '1.', '.'].map(
    (value) =>
      [
        ['--minutes', value],
        `option '--minutes <number>' argument '${value}' is invalid. ${REAL_NUMBER}`,
      ] as const,
  ),
  [['--cases'], "option '--cases <whole>' argument missing"],
  [['--folder'], "option '--folder <text>' argument missing"],
  [['--keep=no'], "unknown option '--keep=no'\n(Did you mean --keep?)"],
  [['--nonsense'], "unknown option '--nonsense'"],
  [['-k'], "unknown option '-k'"],
  [['500'], 'too many arguments. Expected 0 arguments but got 1: 500.'],
] as const)('%j is refused', (args, problem) => {
  expect(() => parseOptions(args, SCRIPT)).toThrow(new ScriptUsageError(problem))
})

test('a name that nothing has is refused', () => {
  expect(() => parseOptions(['show', 'shwo'], NAMED)).toThrow('There is no row "shwo": show, disk')
})

/** One of the real scripts, which is quick to load. */
const REAL = [['power-loss', 'proofs/power-loss/main.ts', '--cases']] as const

const STACK = /^ +at /m

async function runScript(path: string, ...args: readonly string[]) {
  const file = fileURLToPath(new URL(path, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

test.each(REAL)('npm run %s prints its usage when it is asked for', async (name, path) => {
  const { code, stdout, stderr } = await runScript(path, '--help')

  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^npm run ${name} {2,}\\S`))
  expect(stderr).not.toMatch(STACK)
})

test.each(REAL)('npm run %s does not end well with a number that is none', async (name, path, option) => {
  const { code, stdout, stderr } = await runScript(path, option, 'x')

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`argument 'x' is invalid. ${WHOLE}\n\nnpm run ${name} `)
  expect(stderr).not.toMatch(STACK)
})
