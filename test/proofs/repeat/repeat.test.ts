import { expect, test } from 'vitest'
import { runOnce, situationOf } from './repeat.ts'

const node = (script: string) => [process.execPath, '-e', script]

test('of 21 runs fourteen are alone, six beside busy loops, and one on one core', () => {
  const situations = Object.groupBy(
    Array.from({ length: 21 }, (_, run) => situationOf(run)),
    (each) => each,
  )

  expect(Object.entries(situations).map(([situation, runs]) => [situation, runs?.length])).toEqual([
    ['alone', 14],
    ['beside three busy loops', 6],
    ['on one core', 1],
  ])
  expect(situationOf(21)).toBe('alone')
})

test('a run that ends with 0 has not failed', async () => {
  expect(await runOnce(node(''), 'alone')).toMatchObject({ failure: undefined, output: '' })
})

test('a run that ends with another code names the tests that failed', async () => {
  const script = `console.log(' FAIL  a.test.ts > x\\n FAIL  a.test.ts > x\\nother'); process.exit(3)`

  const { failure } = await runOnce(node(script), 'beside three busy loops')

  expect(failure).toBe('beside three busy loops: exit code 3; FAIL  a.test.ts > x')
})

test('a run that ends with another code and names no tests is told of by its last line', async () => {
  const { failure } = await runOnce(node('console.error("out of memory\\n"); process.abort()'), 'alone')

  expect(failure).toContain('alone: exit code null; ')
})

test('a run on one core has one', { tags: 'taskset' }, async () => {
  const { output } = await runOnce(node('console.log(os.availableParallelism())'), 'on one core')

  expect(output).toBe('1\n')
})
