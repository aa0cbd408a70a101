import { expect, test } from 'vitest'
import {
  controlFailed,
  failed,
  notObservable,
  PASSED,
  unreachable,
  type Finding,
} from '../../../contracts/finding.ts'
import { headlineOf, TONES } from '../../../contracts/report/headline.ts'
import { htmlReport } from '../../../contracts/report/html.ts'
import { jsonReport } from '../../../contracts/report/json.ts'
import { junitReport } from '../../../contracts/report/junit.ts'
import { markdownPages } from '../../../contracts/report/markdown.ts'
import type { Report } from '../../../contracts/report/report.ts'
import { summaryText } from '../../../contracts/report/text.ts'
import { toExitCode, type Demands } from '../../../contracts/run/exit-code.ts'
import type { CheckResult, RunResult } from '../../../contracts/run/run-result.ts'
import {
  buildCheck,
  buildResult,
  buildRun,
  missedConsequence,
  REPORT_OPTIONS,
} from '../support/run-results.ts'

const markdownReport: Report = (run, options) => markdownPages(run, options, undefined).text
const LAX: Demands = { failOn: 'must', require: [] }
const one = (finding: Finding | undefined, fields: Partial<CheckResult> = {}) => buildResult(finding, fields)
const weak = (result: CheckResult) => ({ ...result, check: buildCheck('a/b', { severity: 'should' }) })
const known = (result: CheckResult) => ({ ...result, knownFailure: true })
const blind = one(notObservable('set effects.http'), { missing: ['effects'] })
const without = (need: 'process') => one(notObservable(`set ${need}`), { missing: [need] })
const passed = one(PASSED)
const partly = one({ kind: 'passed', unobserved: 'its effects' })
const broken = one(failed('a', 'b', {}))
const lost: RunResult = {
  ...buildRun(one(unreachable('nobody listens')), weak(broken)),
  unreached: 'nobody listens there; start it',
}

const MISSED = missedConsequence({
  state: 'work_completed',
  obstacle: 'the states of the items are completed, but never work_completed',
})

const RUNS: readonly [sentence: string, run: RunResult, demands?: Demands][] = [
  ['No verdict: your receiver could not be reached', lost],
  ['1 check failed', buildRun(broken)],
  ['2 checks failed, 1 of them required', buildRun(weak(broken), broken)],
  ['Nothing failed, but 1 required check was partly observed', buildRun(partly, weak(passed))],
  ['Nothing failed; 1 required check was partly observed', buildRun(partly, passed)],
  ['A known failure passes', buildRun(known(passed))],
  ['Nothing new failed. 1 known failure', buildRun(known(broken), passed)],
  ['No verdict: 1 required check could not be judged', buildRun(one(controlFailed('a', {})))],
  ['Nothing failed, but 1 required check could not be judged', buildRun(passed, one(controlFailed('a', {})))],
  [
    'No required check failed, but 1 required check could not be judged',
    buildRun(passed, weak(broken), one(controlFailed('a', {}))),
  ],
  [
    'Nothing failed, but a required observation is missing (effects)',
    buildRun(
      passed,
      one(notObservable('a'), { check: buildCheck('a/b', { needs: ['effects'] }), missing: ['effects'] }),
    ),
    { failOn: 'must', require: ['effects'] },
  ],
  [
    'Nothing failed, but the effects of a payment were not judged',
    { ...buildRun(passed), consequences: [MISSED] },
  ],
  ['No verdict: no check ran', buildRun()],
  ['No verdict: the 2 required checks could not be observed', buildRun(blind, blind)],
  ['Nothing failed, but 1 required check was not observed', buildRun(passed, blind)],
  ['Nothing failed; 1 required check was not observed', buildRun(passed, without('process'))],
  ['Nothing failed', buildRun(passed)],
]

test.each(RUNS)('every report starts with a one-sentence headline (%s)', (sentence, run, demands = LAX) => {
  const { tone } = headlineOf(run, demands)
  const options = { ...REPORT_OPTIONS, demands }

  expect(summaryText(run, options).split('\n')).toContain(`${TONES[tone].mark} ${sentence}`)
  expect(markdownPages(run, options, undefined).text).toContain(
    `## ${TONES[tone].emoji} Webhook receiver: ${sentence[0]?.toLowerCase()}${sentence.slice(1)}\n`,
  )
  expect(htmlReport(run, options)).toContain(`<h1 class="${tone}">${sentence}</h1>`)
})

test.each(RUNS)('the report headline is green only when the exit code is 0 (%s)', (_, run, demands = LAX) => {
  const { tone } = headlineOf(run, demands)
  const code = toExitCode(run, demands)

  expect([tone === 'bad' || tone === 'unknown', tone === 'good' && code !== 0]).toEqual([code !== 0, false])
})

test('every report lists the required checks that have no verdict, with the reason', () => {
  const run = { ...buildRun(passed), consequences: [MISSED] }
  const reports = [summaryText, markdownReport, htmlReport, jsonReport, junitReport]

  for (const report of reports) {
    const text = report(run, REPORT_OPTIONS).replaceAll('\\_', '_')
    expect(text).toContain('card-payin')
    expect(text).toContain('the states of the items are completed, but never work_completed')
  }
})
