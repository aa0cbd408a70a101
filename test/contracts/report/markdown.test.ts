import { expect, test } from 'vitest'
import { markdownReport } from '../../../contracts/report/markdown.ts'
import { buildResult, buildRun, hostileRun, wholeRun, REPORT_OPTIONS } from '../support/run-results.ts'
import { PASSED } from '../../../contracts/finding.ts'

const options = REPORT_OPTIONS

test('a pull request reads first how many failed', () => {
  expect(markdownReport(wholeRun(), options)).toMatch(
    /^## ❌ Webhook receiver: 2 checks failed, 1 of them a must\n/,
  )
  expect(markdownReport(buildRun(buildResult(PASSED)), options)).toMatch(
    /^## ✅ Webhook receiver: nothing failed\n/,
  )
})

test('each failure is folded, with its meaning and the command that repeats it', () => {
  const text = markdownReport(wholeRun(), options)

  const [first = ''] = /<details><summary>❌[^]*?<\/details>/.exec(text) ?? []

  expect(first).toContain('<strong>order/final-then-earlier</strong>')
  expect(first).toContain('- **Meaning**: A payout that has been made looks unmade')
  expect(first).toContain("```sh\nnpx hookbench check 'order/final-then-earlier'\n```")
})

test('nothing from outside ends a fold, mentions anybody or is markup', () => {
  const text = markdownReport(hostileRun(), options)
  const outside = text.replaceAll(/^(`{3,})[^`\n]*\n[^]*?\n\1$/gm, '').replaceAll(/(`+) .*? \1/g, '')

  expect(outside.match(/<\/details>/g)).toHaveLength(outside.match(/<details>/g)?.length ?? 0)
  expect(outside).not.toMatch(/<script|@team|(?<!\\)\]\(|https:\/\/evil/)
})

test('a table has a row for each check', () => {
  expect(
    markdownReport(wholeRun(), options).match(/^\| `.*` \| (must|should), [a-z ]+ \| .* \|$/gm),
  ).toHaveLength(14)
})
