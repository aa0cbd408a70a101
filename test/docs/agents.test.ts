import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jsonReport } from '../../contracts/report/json.ts'
import { wholeRun, REPORT_OPTIONS } from '../contracts/support/run-results.ts'

const page = readFileSync(new URL('../../AGENTS.md', import.meta.url), 'utf8')
const report = JSON.parse(jsonReport(wholeRun(), REPORT_OPTIONS))

test.each([
  [['failures', 'checks', 'summary'], report],
  [['check', 'others', 'unjudged'], report.failures[0]],
  [['id', 'expected', 'actual', 'exchanges', 'repeat'], report.checks[0]],
  [['not_observable'], report.summary],
])('a report has %j, which AGENTS.md tells programs to read', (names, part) => {
  expect(names.filter((name) => !(name in part) || !new RegExp(`\\b${name}[.\`]`).test(page))).toEqual([])
})
