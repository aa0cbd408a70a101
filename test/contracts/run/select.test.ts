import { expect, test } from 'vitest'
import { findCheck, selectChecks } from '../../../contracts/run/select.ts'
import { buildCheck as made } from '../support/run-results.ts'
import { UsageError } from '../../../sandbox/internal.ts'

const ids = ['http/answers-in-time', 'http/no-redirect', 'order/final-then-earlier', 'trust/lying-body']
const checks = ids.map((id) => made(id))
const selected = (...names: string[]) => selectChecks(checks, names).map(({ id }) => id)

test('select() returns all checks when no names are given', () => {
  expect(selected()).toEqual(ids)
})

test('select() finds checks by ID and by topic', () => {
  expect(selected('order/final-then-earlier')).toEqual(['order/final-then-earlier'])
  expect(selected('http')).toEqual(['http/answers-in-time', 'http/no-redirect'])
})

test('select() returns checks in catalogue order without duplicates', () => {
  expect(selected('trust', 'http/no-redirect', 'http')).toEqual([ids[0], ids[1], ids[3]])
})

test.each([
  ['order/final-then-earlyer', 'order/final-then-earlier'],
  ['answers-in-time', 'http/answers-in-time'],
  ['ordr', 'order'],
  ['htp', 'http'],
  ['ordr/final-then-earlyer', 'order/final-then-earlier'],
  ['http/lying-body', 'trust/lying-body'],
])('select() rejects %s and suggests %s', (name, meant) => {
  const use = () => selectChecks(checks, [name])

  expect(use).toThrow(UsageError)
  expect(use).toThrow(`"${name}": unknown check or topic. Did you mean "${meant}"?`)
})

test('select() suggests the checks of the topic when no similar check name exists', () => {
  expect(() => selectChecks(checks, ['htp/tampered'])).toThrow(
    'Did you mean one of http/answers-in-time, http/no-redirect?',
  )
})

test('select() suggests nothing when no check or topic is similar', () => {
  expect(() => selectChecks(checks, ['xyz'])).toThrow(
    '"xyz": unknown check or topic. See "npx hookbench check --list"',
  )
})

test.each(['', '/', 'toString', 'x'.repeat(1_000)])('select() rejects the name "%s"', (name) => {
  expect(() => selectChecks(checks, ['http', name])).toThrow('Cannot find check "')
})

test('findCheck() finds a check by id only', () => {
  expect(findCheck(checks, 'trust/lying-body').id).toBe('trust/lying-body')
  expect(() => findCheck(checks, 'trust')).toThrow('Cannot find check "trust"')
})
