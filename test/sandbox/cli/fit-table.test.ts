import { expect, test } from 'vitest'
import { fitTable } from '../../../sandbox/cli/fit-table.ts'

const [ONE, TWO] = ['5ec80d42-5a1b-4c5e-8a39-0c1d2e3f4a5b', '5ec80d42-6a1b-4c5e-8a39-0c1d2e3f4a5b']
const URL_CELL = 'https://localhost:9443/notifications/items/3f9c1d2ab47e8051c6d20a94e7b1358f'
const ROWS = [
  ['JOB', 'BY', 'OBJECT', 'STATE', 'STATUS', 'URL'],
  [ONE, 'webhook', 'batch_transactions 11223344…', 'bank_processing', 'success', URL_CELL],
  [TWO, 'callback', 'items 55667788…', 'payment_deposited', 'failed', URL_CELL],
]

test('a table that fits is left as it is', () => {
  expect(fitTable([['A'], [ONE]], 36)).toBe(`A\n${ONE}`)
})

test('ids are shortened as far as they are unique, unless they are to be whole', () => {
  const rows = [
    ['A', 'B'],
    [ONE, TWO],
  ]

  expect(fitTable(rows, 40)).toBe(`A            B\n5ec80d42-5…  5ec80d42-6…`)
  expect(fitTable(rows, 40, true).split('\n')).toEqual(['A', '  B', ONE, `  ${TWO}`])
})

test.each([80, 100, 120])('no line is wider than %d columns, and no cell is cut within a word', (width) => {
  const text = fitTable(ROWS, width)

  const lines = text.split('\n')
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width)
  const words = text.split(/\s+/)
  expect(words).toEqual(expect.arrayContaining(['payment_deposited', 'batch_transactions', URL_CELL]))
})

test('a cell of words that is wider than a line goes on in the next', () => {
  const lines = fitTable([['OPTIONS'], ['one | two | three | four | five']], 12).split('\n')

  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(12)
  expect(lines.join(' ').split(/\s+/)).toEqual('OPTIONS one | two | three | four | five'.split(' '))
})
