import { expect, test } from 'vitest'
import { markdownPages } from '../../../contracts/report/markdown.ts'
import type { RunResult } from '../../../contracts/run/run-result.ts'
import {
  buildCheck,
  buildExchange,
  buildResult,
  buildRun,
  hostileRun,
  wholeRun,
  REPORT_OPTIONS as options,
} from '../support/run-results.ts'
import { failed } from '../../../contracts/finding.ts'

test('the Markdown report collapses each failure with its meaning and repeat command', () => {
  const text = markdownPages(wholeRun(), options, undefined).text

  const [first = ''] = /<details><summary>❌[^]*?<\/details>/.exec(text) ?? []

  expect(first).toContain('<strong>order/final-then-earlier</strong>: 2 effects')
  expect(first).toContain('- **Meaning**: A payout that has been made looks unmade')
  expect(first).toContain("```sh\nnpx hookbench check 'order/final-then-earlier'\n```")
})

test('hostile text cannot close a collapsed section, mention a user or become markup', () => {
  const text = markdownPages(hostileRun(), options, undefined).text
  const outside = text.replaceAll(/^(`{3,})[^`\n]*\n[^]*?\n\1$/gm, '').replaceAll(/(`+) .*? \1/g, '')

  expect(outside.match(/<\/details>/g)).toHaveLength(outside.match(/<details>/g)?.length ?? 0)
  expect(outside).not.toMatch(/<script|@team|(?<!\\)\]\(|https:\/\/evil/)
})

function longRun(count: number): RunResult {
  const events = Array.from({ length: 20 }, (_, index) => ({
    kind: 'sent' as const,
    atMs: index,
    exchange: buildExchange(`${'a very long story '.repeat(5)} ${String.fromCharCode(97 + index)}`),
  }))
  return buildRun(
    ...Array.from({ length: count }, (_, index) =>
      buildResult(failed('one effect', '2 effects', {}), {
        check: buildCheck(`order/check-${index}`),
        events,
      }),
    ),
  )
}

const stories = (text: string) =>
  [...text.matchAll(/^<details><summary>❌ <strong>(.*?)</gm)].map(([, id]) => id)

test('the Markdown report moves details beyond its size limit to a separate file and names the file', () => {
  const run = longRun(60)

  const { text, rest = '' } = markdownPages(run, options, 'summary.rest.md')

  expect(text.length).toBeLessThan(60_000)
  expect(text).toMatch(
    /\nThe details of the last \d+ failures are in `summary\.rest\.md`, next to this file\.\n/,
  )
  expect(stories(text).length).toBeGreaterThan(5)
  expect([...stories(text), ...stories(rest)]).toEqual(run.results.map(({ check }) => check.id))
  expect(text.match(/^\d+\. `order\/check-\d+` \(must\): 2 effects$/gm)).toHaveLength(60)
})

test('the Markdown report shows fixes and unobserved checks before the details', () => {
  const [head = ''] = markdownPages(wholeRun(), options, undefined).text.split('| Passed')

  expect(head).toMatch(
    /\n1\. `order\/final-then-earlier` \(must\): 2 effects, and the receiver shows the state pending\n2\. /,
  )
  expect(head).toContain(
    '**Not observed: 3 required checks about forged bodies and losses in a crash**\n\n- 1: set process.stop',
  )
})
