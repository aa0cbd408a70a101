import { expect, test } from 'vitest'
import { findCheck, selectChecks } from '../../../contracts/run/select.ts'
import { buildCheck as made } from '../support/run-results.ts'
import { UsageError } from '../../../sandbox/internal.ts'

const ids = ['http/answers-in-time', 'http/no-redirect', 'order/final-then-earlier', 'trust/lying-body']
const checks = ids.map((id) => made(id))
const selected = (...names: string[]) => selectChecks(checks, names).map(({ id }) => id)

test.each([
  [[], ids],
  [['order/final-then-earlier'], ['order/final-then-earlier']],
  [['http'], ['http/answers-in-time', 'http/no-redirect']],
  [
    ['trust', 'http/no-redirect', 'http'],
    ['http/answers-in-time', 'http/no-redirect', 'trust/lying-body'],
  ],
])('select() finds the checks of %j in catalogue order', (names, found) => {
  expect(selected(...names)).toEqual(found)
})

test.each([
  ['order/final-then-earlyer', 'order/final-then-earlier'],
  ['answers-in-time', 'http/answers-in-time'],
  ['ordr', 'order'],
  ['http/lying-body', 'trust/lying-body'],
])('select() rejects %s and suggests %s', (name, meant) => {
  const use = () => selectChecks(checks, [name])

  expect(use).toThrow(UsageError)
  expect(use).toThrow(`"${name}": unknown check or topic. Did you mean "${meant}"?`)
})

test('select() suggests the checks of the same topic when no check has a similar name', () => {
  expect(() => selectChecks(checks, ['htp/tampered'])).toThrow(
    'Did you mean one of http/answers-in-time, http/no-redirect?',
  )
})

test.each(['', '/', 'toString', 'x'.repeat(1_000)])('select() rejects the name "%s"', (name) => {
  expect(() => selectChecks(checks, ['http', name])).toThrow('Cannot find check "')
})

test('findCheck() finds a check by ID but not by topic', () => {
  expect(findCheck(checks, 'trust/lying-body').id).toBe('trust/lying-body')
  expect(() => findCheck(checks, 'trust')).toThrow('Cannot find check "trust"')
})
