import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { attemptLine } from '../../../sandbox/cli/up-lines.ts'

import { ATTEMPT, JOB, NOW } from '../../support/control-records.ts'
import { type LabeledValue, formatFacts } from '../../../sandbox/cli/terminal.ts'
import { fitTable } from '../../../sandbox/cli/listing.ts'
import { reportFailure, UsageError } from '../../../sandbox/cli/failure.ts'

const UNANSWERED = { ...ATTEMPT, status: null, reason: 'reset', message: 'It was \u001B[2Jreset' } as const

test('attemptLine() prints the reason of a missing response in a second line', () => {
  const job = { ...JOB, state: 'completed', object_id: 'short' }

  const line = attemptLine(job, UNANSWERED, { now: () => NOW, speed: 1 })

  const [first, second, ...rest] = stripVTControlCharacters(line).split('\n')
  expect(first).toBe('→ items short completed attempt 2  ← reset in 4 ms, next in 20 min')
  expect([second, rest]).toEqual([expect.stringMatching(/^ {2}It was .*reset$/), []])
  expect(line).not.toContain('\u001B[2J')
})

const URL = 'https://localhost:9443/notifications/items/3f9c1d2ab47e8051c6d20a94e7b1358f'

const FACTS: readonly LabeledValue[] = [
  ['object', 'items 5ec80d42-5a1b-4c5e-8a39-0c1d2e3f4a5b', 'payment_deposited'],
  ['to', URL, 'webhooks'],
  ['status', 'failed', 'next attempt due 2026-11-22T08:55:06.417Z'],
  [
    'CA',
    '/home/me/.hookbench/ca/ca.crt.pem',
    'deliveries trust this CA, and "npx hookbench cert localhost" issues a certificate',
  ],
]

test.each([80, 90, 100, 120])('formatFacts() wraps lines at %d columns between words', (width) => {
  const text = formatFacts(FACTS, width)

  expect(text.split('\n').filter((line) => line.length > width)).toEqual([])
  expect(text.split(/\s+/).join(' ').trim()).toBe(FACTS.flat().join(' '))
})

const [ONE, TWO] = ['5ec80d42-5a1b-4c5e-8a39-0c1d2e3f4a5b', '5ec80d42-6a1b-4c5e-8a39-0c1d2e3f4a5b']

const ROWS = [
  ['JOB', 'BY', 'OBJECT', 'STATE', 'STATUS', 'URL'],
  [ONE, 'webhook', 'batch_transactions 11223344…', 'bank_processing', 'success', URL],
  [TWO, 'callback', 'items 55667788…', 'payment_deposited', 'failed', URL],
]

test('fitTable() shortens ids to unique prefixes', () => {
  const rows = [
    ['A', 'B'],
    [ONE, TWO],
  ]

  expect(fitTable(rows, 40)).toBe(`A            B\n5ec80d42-5…  5ec80d42-6…`)
  expect(fitTable(rows, 40, true).split('\n')).toEqual(['A', '  B', ONE, `  ${TWO}`])
})

test.each([80, 100, 120])('fitTable() wraps lines at %d columns between words', (width) => {
  const text = fitTable(ROWS, width)

  const lines = text.split('\n')
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width)
  const words = text.split(/\s+/)
  expect(words).toEqual(expect.arrayContaining(['payment_deposited', 'batch_transactions', URL]))
})

test('fitTable() wraps a cell that is wider than a line', () => {
  const lines = fitTable([['OPTIONS'], ['one | two | three | four | five']], 12).split('\n')

  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(12)
  expect(lines.join(' ').split(/\s+/)).toEqual('OPTIONS one | two | three | four | five'.split(' '))
})

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

test('reportFailure() prints the stack of a bug', () => {
  const bug = new TypeError('It has no such property')

  const { printed, code } = report(bug, true)
  const [line = ''] = printed.map(String)

  expect(code).toBe(1)
  expect(JSON.parse(line)).toEqual({
    error: { code: 'internal_error', message: bug.message, stack: bug.stack },
  })
  expect(report(bug, false).printed).toEqual([bug.stack])
})

const HOSTILE = 'received \u001b[2J\u009b from https://localhost/items/3f9c1d2ab47e8051'

test.each([
  ['a bug', new TypeError(HOSTILE, { cause: new Error(HOSTILE) })],
  ['a usage error', new UsageError(HOSTILE, { lines: [HOSTILE, HOSTILE] })],
])('reportFailure() removes terminal escapes and URL tokens when %s contains unsafe text', (_, error) => {
  const text = report(error, false).printed.join('\n')

  expect(text).toContain('received �[2J� from https://localhost/items/***')
  // oxlint-disable-next-line no-control-regex -- matches the characters that the test searches for
  expect(text).not.toMatch(/[\u001b\u009b]|3f9c/)
})
