import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { annotationsReport } from '../../../contracts/report/annotations.ts'
import { htmlReport } from '../../../contracts/report/html.ts'
import { jsonReport } from '../../../contracts/report/json.ts'
import { junitReport } from '../../../contracts/report/junit.ts'
import { markdownPages } from '../../../contracts/report/markdown.ts'
import { summaryText } from '../../../contracts/report/text.ts'
import { toPrintable, toPrintableJson } from '../../../sandbox/engine/core/short-text.ts'
import { HOSTILE_PAYLOADS } from '../../support/hostile-payloads.ts'
import { hostileRun, REPORT_OPTIONS } from '../support/run-results.ts'

// oxlint-disable-next-line no-control-regex -- matches the characters that the report must not contain
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const COMMAND = /^\s*::|##\[/mu

function problemsOf(name: string, text: string): string[] {
  return [
    ...(STEERING.test(text) ? [`${name} steers the terminal`] : []),
    ...(COMMAND.test(text) ? [`${name} begins a command`] : []),
  ]
}

function xmlProblems(xml: string): string[] {
  const problems: string[] = []
  const parser = new SaxesParser()
  parser.on('error', ({ message }) => problems.push(`JUnit: ${message}`))
  parser.write(xml).close()
  return problems
}

function outsideCode(markdown: string): string {
  return markdown
    .replaceAll(/^([ \t>]*`{3,})[^`\n]*\n[^]*?^\1[ \t]*$/gm, '')
    .replaceAll(/(?<!`)(`+)(?!`)[^]*?[^`]\1(?!`)/g, '')
}

test('the test data contain at least 200 different hostile texts', () => {
  expect(new Set(HOSTILE_PAYLOADS).size).toBeGreaterThanOrEqual(200)
})

test.each(HOSTILE_PAYLOADS.map((text) => [JSON.stringify(text), text] as const))(
  'every report shows %s as plain text',
  (_, text) => {
    const run = hostileRun(text)
    const json = jsonReport(run, REPORT_OPTIONS)
    const junit = junitReport(run, REPORT_OPTIONS)
    const page = htmlReport(run, REPORT_OPTIONS)
    const annotations = annotationsReport(run, REPORT_OPTIONS)
    const { text: markdown } = markdownPages(run, REPORT_OPTIONS, undefined)
    const strayLines = annotations
      .split('\n')
      .filter((line) => line !== '' && !/^::(error|warning) title=[^:,]*::/.test(line))

    JSON.parse(json)
    expect([
      ...problemsOf('the summary', summaryText(run, REPORT_OPTIONS)),
      ...problemsOf('JSON', json),
      ...problemsOf('JUnit', junit),
      ...xmlProblems(junit),
      ...problemsOf('what a command prints', toPrintable(text)),
      ...problemsOf('what a command prints as JSON', toPrintableJson({ text })),
      ...(page.isWellFormed() && junit.isWellFormed() ? [] : ['there is half a character']),
      ...(page.match(/<script\b/g)?.length === 1 ? [] : ['the page has another script']),
      ...(STEERING.test(annotations) ? ['an annotation steers the terminal'] : []),
      ...strayLines,
    ]).toEqual([])
    expect(outsideCode(markdown)).not.toMatch(
      /<(script|img|svg|iframe|style|link|meta|form|body)\b|\]\(javascript/i,
    )
  },
)
