import { expect, test } from 'vitest'
import { htmlReport } from '../../../contracts/report/html.ts'
import { jsonReport } from '../../../contracts/report/json.ts'
import { junitReport } from '../../../contracts/report/junit.ts'
import { markdownPages } from '../../../contracts/report/markdown.ts'
import { resultLine } from '../../../contracts/report/check-text.ts'
import { summaryText } from '../../../contracts/report/text.ts'
import type { ReportOptions } from '../../../contracts/report/report.ts'
import type { RunResult } from '../../../contracts/run/run-result.ts'
import { ANOTHER, REPORT_OPTIONS, wholeRun } from '../support/run-results.ts'

/** Removes times and ports. The rest is equal in every run with one seed. */
function normalised(report: string): string {
  return report
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g, 'TIME')
    .replaceAll(/ *\b\d+(\.\d+)? ms\b/g, ' # ms')
    .replaceAll(/"(at_ms|took_ms|latest_ms|waited_ms)": [\d.]+/g, '"$1": #')
    .replaceAll(/\btime="[\d.]+"/g, 'time="#"')
    .replaceAll(/\b(localhost|127\.0\.0\.1):\d+/g, '$1:PORT')
}

const reports = {
  text: summaryText,
  lines: ({ results }: RunResult) => results.map((result) => resultLine(result)).join('\n'),
  json: jsonReport,
  junit: junitReport,
  html: htmlReport,
  markdown: (run: RunResult, options: ReportOptions) => markdownPages(run, options, undefined).text,
}

const reported = (report: keyof typeof reports, run: RunResult) =>
  reports[report](run, { ...REPORT_OPTIONS, repeat: (id) => `npx hookbench check '${run.receiver}' ${id}` })

test.each(['text', 'lines', 'json', 'junit', 'html', 'markdown'] as const)(
  'two %s reports of runs with one seed differ only in times and ports',
  (report) => {
    const [one, another] = [reported(report, wholeRun()), reported(report, wholeRun(ANOTHER))]

    expect(one).not.toBe(another)
    expect(normalised(one)).toBe(normalised(another))
  },
)
