import { expect, test } from 'vitest'
import {
  createSharedRun,
  ReceiverError,
  requireJudged,
  toTestOutcome,
} from '../../../contracts/frameworks/shared-run.ts'
import { buildCheck, buildResult, missedConsequence } from '../support/run-results.ts'
import { PASSED, failed, notObservable, unreachable } from '../../../contracts/finding.ts'

const strict = { failOn: 'should', repeat: (id: string) => `npx vitest -t '${id}'` } as const
const weak = { check: buildCheck('http/answers-in-time', { severity: 'should' }) } as const

test('a passed check passes the generated test', () => {
  expect(toTestOutcome(buildResult(PASSED), strict)).toBeUndefined()
})

test('a failed check throws an error with the full report', () => {
  const judge = () => toTestOutcome(buildResult(failed('one effect', '2 effects', {})), strict)

  expect(judge).toThrow(ReceiverError)
  expect(judge).toThrow(/order\/final-then-earlier[^]*  2 effects[^]*Repeat +npx vitest -t 'order/)
})

test('an inconclusive check fails the generated test', () => {
  expect(() => toTestOutcome(buildResult(unreachable('Nobody listens there')), strict)).toThrow(
    'Nobody listens there',
  )
})

test('an unobservable or inapplicable check skips its test with the reason', () => {
  expect(toTestOutcome(buildResult(notObservable('set effects.http')), strict)).toBe(
    'not observable: set effects.http',
  )
  expect(toTestOutcome(buildResult(undefined), strict)).toBe(
    'the configuration lacks a setting that this check needs',
  )
})

test('a known failure skips its test, and the test throws an error when the check passes', () => {
  expect(toTestOutcome(buildResult(failed('a', 'b', {}), { knownFailure: true }), strict)).toBe(
    'known to fail: b',
  )
  expect(() => toTestOutcome(buildResult(PASSED, { knownFailure: true }), strict)).toThrow(
    'known to fail, but passes',
  )
})

test('a failed recommendation fails its test when failOn is should', () => {
  const result = buildResult(failed('a', 'b', {}), weak)

  expect(() => toTestOutcome(result, strict)).toThrow(ReceiverError)
  expect(toTestOutcome(result, { ...strict, failOn: 'must' })).toBe('failed, but is not required: b')
})

test('an invalid receiver description throws when the test file is loaded', () => {
  const describe = () => createSharedRun({ receiver: { url: 'http://localhost/' }, budgetMs: 0 }, (id) => id)

  expect(describe).toThrow('Cannot use the argument of describeReceiver(): "budgetMs" takes')
  expect(describe).toThrow('"receiver.url" takes an HTTPS URL')
})

test('requireJudged() throws and names the payments when no check judged their consequences', () => {
  const missed = missedConsequence()
  const judged = missedConsequence({ judgedBy: ['order/documented-order'], obstacle: null, isMissed: false })

  expect(requireJudged([judged])).toBeUndefined()
  expect(() => requireJudged([judged, missed])).toThrow(
    'card-payin (items completed): the receiver has no URL for items',
  )
})
