import { expect, test } from 'vitest'
import { reportFailure, UsageError } from '../../../sandbox/cli/failure.ts'

/** What a failure prints to the standard error, and the exit code that it sets. */
function report(error: unknown, json: boolean) {
  const before = process.exitCode
  const { error: print } = console
  const printed: unknown[] = []
  console.error = (text: unknown) => void printed.push(text)
  try {
    reportFailure(error, { json, target: {} })
    return { printed, code: process.exitCode }
  } finally {
    console.error = print
    process.exitCode = before
  }
}

test('an error of the program itself keeps its stack, and is JSON where that was asked for', () => {
  const bug = new TypeError('It has no such property')

  const { printed, code } = report(bug, true)
  const [line = ''] = printed.map(String)

  expect([code, JSON.parse(line)]).toEqual([
    1,
    { error: { code: 'internal_error', message: bug.message, stack: bug.stack } },
  ])
  expect(report(bug, false).printed).toEqual([bug.stack])
})

test('wrong use is one line, and JSON without what there is not', () => {
  const misuse = new UsageError('Cannot do that')

  expect(report(misuse, false)).toEqual({ printed: ['hookbench: Cannot do that'], code: 2 })
  expect(report(misuse, true)).toEqual({ printed: ['{"error":{"message":"Cannot do that"}}'], code: 2 })
})

const HOSTILE = 'received \u001b[2J\u009b from https://localhost/items/3f9c1d2ab47e8051'

test.each([
  ['a bug', new TypeError(HOSTILE, { cause: new Error(HOSTILE) })],
  ['wrong use', new UsageError(HOSTILE, { lines: [HOSTILE, HOSTILE] })],
])('reportFailure() prints neither terminal escapes nor URL tokens when %s has them', (_, error) => {
  const text = report(error, false).printed.join('\n')

  expect(text).toContain('received �[2J� from https://localhost/items/***')
  // oxlint-disable-next-line no-control-regex -- these are the characters that are looked for
  expect(text).not.toMatch(/[\u001b\u009b]|3f9c/)
})
