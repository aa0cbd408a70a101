import { expect, test } from 'vitest'
import { toExitCode, type Demands } from '../../../contracts/run/exit-code.ts'
import type { CheckResult } from '../../../contracts/run/run-result.ts'
import { buildCheck, buildResult, missedConsequence } from '../support/run-results.ts'
import { PASSED, controlFailed, failed, notObservable, unreachable } from '../../../contracts/finding.ts'

const LAX: Demands = { failOn: 'must', require: [] }
const passed = buildResult(PASSED)
const broken = buildResult(failed('a', 'b', {}))
const lost = buildResult(unreachable('a'))
const weak = (one: CheckResult) => ({ ...one, check: buildCheck('a/b', { severity: 'should' }) })
const known = (one: CheckResult) => ({ ...one, knownFailure: true })

test.each<readonly [string, readonly CheckResult[], number]>([
  ['no check was run', [], 3],
  ['no required check was observable', [buildResult(notObservable('a')), weak(passed)], 3],
  ['no check was observable', [weak(buildResult(notObservable('a')))], 3],
  ['no required check was selected', [weak(passed)], 0],
  ['all checks passed', [passed], 0],
  ['a check is not observable', [passed, buildResult(notObservable('a'))], 0],
  ['a check was skipped', [passed, buildResult(undefined)], 0],
  ['a required check failed', [passed, broken], 1],
  ['only a recommended check failed', [passed, weak(broken)], 0],
  ['a known failure failed', [passed, known(broken)], 0],
  ['a known failure passed', [known(passed)], 1],
  ['a control delivery failed', [passed, buildResult(controlFailed('a', {}))], 3],
  ['a required check could not reach the receiver', [passed, lost], 3],
  ['a recommended check could not reach the receiver', [passed, weak(lost)], 0],
  ['one check failed, and another check could not be judged', [broken, lost], 1],
])('the exit code of a run is correct when %s (%#)', (_, results, code) => {
  expect(toExitCode({ results, unreached: null, consequences: [] }, LAX)).toBe(code)
})

test('a run returns no verdict when the receiver is unreachable, even if a URL check fails', () => {
  expect(
    toExitCode({ results: [broken, lost], unreached: 'Nobody listens there', consequences: [] }, LAX),
  ).toBe(3)
})

test('a failed recommendation fails the run when failOn is should', () => {
  const demands: Demands = { failOn: 'should', require: [] }

  expect(toExitCode({ results: [weak(broken)], unreached: null, consequences: [] }, demands)).toBe(1)
  expect(toExitCode({ results: [weak(lost)], unreached: null, consequences: [] }, demands)).toBe(3)
})

test('a run returns exit code 2 when a required observation is missing', () => {
  const unobserved = buildResult(notObservable('a'), { check: buildCheck('a/b', { needs: ['effects'] }) })
  const run = { results: [passed, unobserved], unreached: null, consequences: [] }

  expect(toExitCode(run, { failOn: 'must', require: ['effects'] })).toBe(2)
  expect(toExitCode(run, { failOn: 'must', require: ['process'] })).toBe(0)
})

test('a run returns exit code 2 when no check judges a configured payment', () => {
  const run = { results: [passed], unreached: null, consequences: [missedConsequence()] }

  expect(toExitCode(run, LAX)).toBe(2)
  expect(toExitCode({ ...run, results: [broken] }, LAX)).toBe(1)
  expect(toExitCode({ ...run, consequences: [missedConsequence({ isMissed: false })] }, LAX)).toBe(0)
})
