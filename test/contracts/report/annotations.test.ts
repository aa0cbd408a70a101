import { expect, test } from 'vitest'
import { annotationsReport } from '../../../contracts/report/annotations.ts'
import { failed, notObservable, PASSED } from '../../../contracts/finding.ts'
import { buildCheck, buildExchange, buildResult, buildRun, REPORT_OPTIONS } from '../support/run-results.ts'

const options = REPORT_OPTIONS
const finding = failed('one effect', '2 effects, 100% wrong', {})
const failing = (id: string, severity: 'must' | 'should' = 'must') =>
  buildResult(finding, { check: buildCheck(id, { severity }) })
const lines = (text: string) => text.split('\n').slice(0, -1)

test('each failure becomes a GitHub annotation that contains the fix and names no file', () => {
  expect(annotationsReport(buildRun(failing('order/a')), options)).toBe(
    '::error title=order/a::2 effects, 100%25 wrong%0AA payout that has been made looks unmade, and is made a second time: the money is gone twice.%0AAsk the service for the object, and never go back from a final state.%0Ahttps://hookbench.github.io/hookbench/reference/checks#order/a\n',
  )
})

test('failures with the same cause share one annotation', () => {
  const exchange = buildExchange('a notification', {
    status: 500,
    about: { type: 'transactions', id: 't' },
    isUsual: true,
  })
  const refused = (id: string) =>
    buildResult(failed('2xx', '500', { exchanges: [exchange] }), { check: buildCheck(id) })

  const shown = lines(annotationsReport(buildRun(refused('order/a'), refused('order/b')), options))

  expect(shown).toEqual([
    expect.stringMatching(
      /^::error title=Your receiver answers 500 to ordinary notifications of every type::order\/a: 500%0A.*%0AFailed for the same cause: order\/b%0Ahttps:\S+#order\/a$/,
    ),
  ])
})

test('a failed check that does not fail the run becomes a warning', () => {
  const run = buildRun(failing('order/a', 'should'))
  const demands = { ...options.demands, failOn: 'should' as const }

  expect(annotationsReport(run, options)).toMatch(/^::warning title=order\/a::/)
  expect(annotationsReport(run, { ...options, demands })).toMatch(/^::error title=order\/a::/)
})

test('the last annotation names the failures that exceed the annotation limit of the workflow', () => {
  const run = buildRun(...Array.from({ length: 12 }, (_, index) => failing(`order/n${index}`)))

  const shown = lines(annotationsReport(run, options))

  expect(shown).toHaveLength(10)
  expect(shown.at(-1)).toBe(
    '::error title=3 more failed::order/n9, order/n10, order/n11: see the summary of the run',
  )
})

test('a run without a verdict writes one annotation that contains the reason', () => {
  const unreached = { ...buildRun(buildResult(PASSED)), unreached: 'nothing listens there' }
  const demands = { ...options.demands, require: ['effects' as const] }
  const needing = buildCheck('order/a', { needs: ['effects'] })
  const unseen = buildRun(buildResult(PASSED), buildResult(notObservable('set it'), { check: needing }))

  expect(annotationsReport(unreached, options)).toBe(
    '::error title=No verdict%3A your receiver could not be reached::Nothing listens there\n',
  )
  expect(annotationsReport(unseen, { ...options, demands })).toMatch(
    /^::error title=Nothing failed%2C but a required observation is missing/,
  )
})

test('a known failure that passes gets an annotation, and a passing run gets no annotation', () => {
  const fixed = buildRun(buildResult(PASSED, { knownFailure: true }))

  expect(annotationsReport(fixed, options)).toMatch(
    /^::error title=order\/final-then-earlier::.*knownFailures\n$/,
  )
  expect(annotationsReport(buildRun(buildResult(PASSED)), options)).toBe('')
})
