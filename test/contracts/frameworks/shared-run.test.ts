import { expect, test } from 'vitest'
import {
  createSharedRun,
  ReceiverError,
  requireJudged,
  toTestOutcome,
} from '../../../contracts/frameworks/shared-run.ts'
import { buildCheck, buildResult, missedConsequence } from '../support/run-results.ts'
import { PASSED, failed, unreachable } from '../../../contracts/finding.ts'

const strict = { failOn: 'should', repeat: (id: string) => `npx vitest -t '${id}'` } as const
const weak = { check: buildCheck('http/answers-in-time', { severity: 'should' }) } as const

const broken = failed('a', 'b', {})

test.each([
  [
    'a failed check',
    buildResult(failed('one effect', '2 effects', {})),
    /order\/final-then-earlier[^]*  2 effects[^]*Repeat +npx vitest -t 'order/,
  ],
  ['an inconclusive check', buildResult(unreachable('Nobody listens there')), /Nobody listens there/],
  ['a known failure that passes', buildResult(PASSED, { knownFailure: true }), /known to fail, but passes/],
  ['a failed recommendation, if failOn is should,', buildResult(broken, weak), / b\n/],
])('%s throws an error with the full report', (_, ...[result, report]) => {
  const judge = () => toTestOutcome(result, strict)

  expect(judge).toThrow(ReceiverError)
  expect(judge).toThrow(report)
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
