import { expect, test } from 'vitest'
import { formatFacts, type Fact } from '../../../sandbox/cli/facts.ts'

const URL = 'https://localhost:9443/notifications/items/3f9c1d2ab47e8051c6d20a94e7b1358f'
const FACTS: readonly Fact[] = [
  ['object', 'items 5ec80d42-5a1b-4c5e-8a39-0c1d2e3f4a5b', 'payment_deposited'],
  ['to', URL, 'webhooks'],
  ['status', 'failed', 'next attempt due 2026-11-22T08:55:06.417Z'],
  [
    'CA',
    '/home/me/.hookbench/ca/ca.crt.pem',
    'deliveries trust it; "npx hookbench cert localhost" issues from it',
  ],
]

test('formatFacts() makes columns where they fit', () => {
  expect(formatFacts([FACTS[2] ?? fail(), ['made', 'now']], 80)).toBe(
    '  status  failed  next attempt due 2026-11-22T08:55:06.417Z\n  made    now',
  )
})

test('formatFacts() puts a note below its value where the line is too narrow', () => {
  expect(formatFacts(FACTS, 80).split('\n')).toEqual([
    '  object  items 5ec80d42-5a1b-4c5e-8a39-0c1d2e3f4a5b  payment_deposited',
    '  to',
    `    ${URL}`,
    '    webhooks',
    '  status  failed  next attempt due 2026-11-22T08:55:06.417Z',
    '  CA      /home/me/.hookbench/ca/ca.crt.pem',
    '          deliveries trust it; "npx hookbench cert localhost" issues from it',
  ])
})

test.each([80, 90, 100, 120])('no line of facts is wider than %d columns, and no word is cut', (width) => {
  const text = formatFacts(FACTS, width)

  expect(text.split('\n').filter((line) => line.length > width)).toEqual([])
  expect(text.split(/\s+/).join(' ').trim()).toBe(FACTS.flat().join(' '))
})

test('where a program reads the lines, each fact is one', () => {
  expect(formatFacts(FACTS, Number.POSITIVE_INFINITY).split('\n').length).toBe(FACTS.length)
})

function fail(): never {
  throw new Error('There is no such fact')
}
