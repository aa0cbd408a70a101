import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue } from '../../../contracts/catalogue.ts'
import { failed } from '../../../contracts/finding.ts'
import { annotationsReport } from '../../../contracts/report/annotations.ts'
import { htmlReport } from '../../../contracts/report/html.ts'
import { junitReport } from '../../../contracts/report/junit.ts'
import { markdownPages } from '../../../contracts/report/markdown.ts'
import { checkUrl } from '../../../contracts/report/report.ts'
import { summaryText } from '../../../contracts/report/text.ts'
import { buildCheck, buildResult, buildRun, REPORT_OPTIONS } from '../support/run-results.ts'

const ID = 'order/final-then-earlier'
const LINK = `https://hookbench.github.io/hookbench/reference/checks#${ID}`
const run = buildRun(buildResult(failed('one effect', '2 effects', {}), { check: buildCheck(ID) }))

test.each([
  ['the text report', summaryText(run, REPORT_OPTIONS)],
  ['HTML', htmlReport(run, REPORT_OPTIONS)],
  ['Markdown', markdownPages(run, REPORT_OPTIONS, undefined).text],
  ['JUnit', junitReport(run, REPORT_OPTIONS)],
  ['an annotation', annotationsReport(run, REPORT_OPTIONS)],
])('a failure in %s links to the documentation of its check', (_, report) => {
  expect(report).toContain(LINK)
})

test('each check link points to a heading of the checks page', () => {
  const page = readFileSync(new URL('../../../docs/reference/checks.md', import.meta.url), 'utf8')
  const headings = new Set([...page.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading))

  expect(
    catalogue.map(({ id }) => id).filter((id) => !headings.has(new URL(checkUrl(id)).hash.slice(1))),
  ).toEqual([])
})
