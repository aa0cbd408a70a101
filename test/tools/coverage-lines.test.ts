import { expect, test } from 'vitest'
import {
  coverageRows,
  coverLines,
  formatRow,
  formatUncovered,
  scriptsOfProgram,
  type FileCoverage,
} from './coverage-lines.ts'

const TEXT = `start()
if (a) {
  inBlock()
}
for (;;) both(() => arrow())
`
/** The statements of TEXT, none of which ran. */
const statements = [
  { start: { line: 1, column: 0 } },
  { start: { line: 2, column: 0 } },
  { start: { line: 3, column: 2 } },
  { start: { line: 5, column: 0 } },
  { start: { line: 5, column: 20 } },
]
const tested = (counts: readonly number[]) => ({
  statementMap: Object.fromEntries(statements.entries()),
  s: Object.fromEntries(counts.entries()),
})
const script = (...ranges: readonly (readonly [start: number, end: number, count: number])[]) => ({
  url: 'file:///x.ts',
  functions: [
    { ranges: ranges.map(([startOffset, endOffset, count]) => ({ startOffset, endOffset, count })) },
  ],
})
const whole = [0, TEXT.length] as const

test('a line is covered if one of its statements ran in a test', () => {
  expect([...coverLines(TEXT, tested([1, 0, 0, 0, 2]), [])]).toEqual([
    [1, true],
    [2, false],
    [3, false],
    [5, true],
  ])
})

test('a line is covered if the innermost range around it ran in a program', () => {
  const block = [TEXT.indexOf('{'), TEXT.indexOf('}') + 1] as const
  const entered = coverLines(TEXT, tested([0, 0, 0, 0, 0]), [script([...whole, 0], [...block, 3])])
  const passed = coverLines(TEXT, tested([0, 0, 0, 0, 0]), [script([...block, 0], [...whole, 1])])

  expect([...entered.values()]).toEqual([false, false, true, false])
  expect([...passed.values()]).toEqual([true, true, false, true])
})

test('a line is covered if any of several programs ran it', () => {
  const covered = coverLines(TEXT, tested([0, 0, 0, 0, 0]), [script([...whole, 0]), script([...whole, 1])])

  expect([...covered.values()]).toEqual([true, true, true, true])
})

test('a file that no program loaded has the lines of the tests alone', () => {
  expect([...coverLines(TEXT, tested([1, 1, 0, 0, 0]), []).values()]).toEqual([true, true, false, false])
})

test('the profile of a process that runs tests is left out', () => {
  const own = script([...whole, 1])
  const runner = { url: 'file:///x/node_modules/vitest/dist/workers/forks.js', functions: [] }

  expect(scriptsOfProgram(JSON.stringify({ result: [own] }))).toEqual([own])
  expect(scriptsOfProgram(JSON.stringify({ result: [own, runner] }))).toEqual([])
})

const file = (path: string, ...ran: readonly boolean[]): FileCoverage => ({
  path,
  lines: new Map(ran.map((isCovered, index) => [index + 1, isCovered])),
})

test('lines are counted by folder, by room and in all', () => {
  const rows = coverageRows([
    file('spec/types.ts', true),
    file('sandbox/engine/core/ports.ts', true, false),
    file('sandbox/engine/core/queue.ts', true, true),
    file('sandbox/cli/demo.ts', false),
    file('sandbox/index.ts'),
  ])

  expect(rows.map(({ name, covered, lines }) => [name, covered, lines])).toEqual([
    ['sandbox', 3, 5],
    ['  sandbox/cli', 0, 1],
    ['  sandbox/engine/core', 3, 4],
    ['  sandbox/*', 0, 0],
    ['spec', 1, 1],
    ['  spec/*', 1, 1],
    ['total', 4, 6],
  ])
  expect(rows.slice(0, 1).map(formatRow)).toEqual([`sandbox${' '.repeat(35)}3      5   60.0 %`])
})

test('the files with the most uncovered lines come first, neighbours drawn together', () => {
  const files = [
    file('a.ts', true, false),
    file('b.ts', true),
    file('c.ts', false, false, true, false),
    file('d.ts', false),
  ]

  expect(formatUncovered(files, 2)).toEqual(['   3  c.ts: 1-2, 4', '   1  a.ts: 2'])
})
