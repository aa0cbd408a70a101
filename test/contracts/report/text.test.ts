import { expect, test } from 'vitest'
import { checkText } from '../../../contracts/report/check-text.ts'
import { PLAIN_SCREEN } from '../../../contracts/report/columns.ts'
import { htmlReport } from '../../../contracts/report/html.ts'
import { markdownPages } from '../../../contracts/report/markdown.ts'
import { summaryText } from '../../../contracts/report/text.ts'
import {
  buildCheck,
  hostileRun,
  buildResult,
  buildRun,
  buildExchange,
  excerpt,
  wholeRun,
  REPORT_OPTIONS,
  TARGET,
} from '../support/run-results.ts'
import { PASSED, failed, notObservable } from '../../../contracts/finding.ts'

const repeat = (id: string) => `npx hookbench check 'https://localhost:9443/{object_type}' ${id} --seed 7`
const options = { ...REPORT_OPTIONS, repeat }

test('checkText() contains all details to understand and repeat a failure', () => {
  const check = buildCheck('order/final-then-earlier', { readings: ['retry-window'], needs: ['effects'] })
  const events = excerpt()
  const exchanges = events.flatMap((event) => (event.kind === 'sent' ? event.exchange : [])).slice(-1)
  const finding = failed('one effect', '2 effects', { exchanges, objects: [TARGET] })
  const result = buildResult(finding, { check, events })

  const text = checkText(result, { repeat })

  for (const part of [
    /^✗ order\/final-then-earlier +MUST · effects$/m,
    '  Expected   one effect',
    /^ {2}2 effects$/m,
    '  Required   The receiver keeps a final state',
    '  Meaning    A payout that has been made',
    /^ +2 ms {2}→ disbursements successful$/m,
    /^ +5 ms {2}⇠ answer to disbursements successful +204 in 3 ms$/m,
    /^ +3 ms {2}← GET \/disbursements\/5ec80d42… +200 in 1 ms$/m,
    /^ +1200 ms {2}● disbursements 5ec80d42…: 2 effects, state pending$/m,
    '  Request    POST https://localhost:9443/notifications/disbursements/3f9c1d2ab47e8051',
    '  Answer     204 in 3 ms',
    '  Effect     disbursements 5ec80d42-1c2f-4b9e-9a70-5a0f0d6c1b11',
    '             before: one effect of AUD 1200.00, and the receiver shows the state successful',
    '             after:  2 effects, and the receiver shows the state pending',
    '  Document   L217 (§3): Notifications arrive in the order of the transitions.',
    '             L283 (§5): A receiver can fetch the object by the id in the body.',
    '  Reading    retry-window',
    '  Fix        Ask the service for the object',
    `  Repeat     ${repeat(check.id)}`,
  ]) {
    expect(text).toMatch(part)
  }
})

test('checkText() shows only the exchange that caused the finding', () => {
  const second = buildExchange('items second')
  const events = [buildExchange('items first'), second, buildExchange('items third')].map(
    (exchange) => ({ kind: 'sent', atMs: 0, exchange }) as const,
  )
  const finding = failed('a refusal', 'items second was answered 204', { exchanges: [second] })

  const text = checkText(buildResult(finding, { events }), { repeat })

  expect(text).toContain('"state":"second"')
  expect(text).not.toMatch(/"state":"(first|third)"/)
})

test('summaryText() names the settings that allow more checks', () => {
  const needing = (id: string, ...needs: ('effects' | 'process')[]) =>
    buildResult(notObservable('not configured'), { check: buildCheck(id, { needs }), missing: needs })
  const run = buildRun(
    needing('a/one', 'effects'),
    needing('a/two', 'effects'),
    needing('a/three', 'effects', 'process'),
  )

  const text = summaryText(run, options)

  expect(text).toContain('  · set effects.http to observe 2 more checks\n      a/one, a/two')
  expect(text).toContain(
    '  · set effects.http and process.stop and process.start to observe 1 more check\n      a/three',
  )
})

test('summaryText() ends with failures, unobserved checks, counts, seed and duration', () => {
  const lines = summaryText(wholeRun(), options).split('\n').slice(-9)

  expect(lines).toEqual([
    '✗ 2 checks failed, 1 of them required',
    expect.stringMatching(/^ {2}1\. order\/final-then-earlier +must$/),
    '     2 effects, and the receiver shows the state pending',
    expect.stringMatching(/^ {2}2\. http\/answers-in-time +should$/),
    '     items completed was answered 204 after 5800 ms',
    'Not observed: 3 required checks about forged bodies and losses in a crash (see above)',
    '5 passed · 1 partly observed · 3 failed (1 known) · 1 inconclusive · 3 not observable · 1 skipped',
    'seed 7 · observed up to level 2 (effects) · 8214 ms',
    'marks: ✓ passed · ◐ partly observed',
  ])
})

test('failures with the same cause are shown once with the other checks listed below', () => {
  const refused = (id: string) => {
    const exchange = buildExchange('transactions successful', {
      status: 500,
      about: { type: 'transactions', id: 't' },
      isUsual: true,
    })
    const events = [{ kind: 'sent', atMs: 0, exchange }] as const
    const finding = failed('2xx', 'it was answered 500', { exchanges: [exchange] })
    return buildResult(finding, { check: buildCheck(id), events })
  }

  const text = summaryText(buildRun(refused('a/one'), refused('a/two'), refused('a/three')), options)

  expect(text.match(/^ {2}Request /gm)).toHaveLength(1)
  expect(text).toMatch(/^ {2}Failed for the same cause\n {2}✗ a\/two .*\n {2}✗ a\/three /m)
  expect(text).toContain(
    '  1. Your receiver answers 500 to ordinary notifications of every type\n     3 required checks fail for this cause\n',
  )
})

test.each([60, 80, 100])('the summary wraps all lines except commands and links at %i columns', (width) => {
  const screen = { paint: (_: unknown, text: string) => text, width }
  const lines = summaryText(wholeRun(), { ...options, screen }).split('\n')

  expect(lines.filter((line) => line.length > width && !/npx hookbench|https:/.test(line))).toEqual([])
})

test('receiver text in a report never becomes a workflow command at any terminal width', () => {
  for (let width = 60; width <= 100; width++) {
    const text = summaryText(hostileRun(), { ...options, screen: { ...PLAIN_SCREEN, width } })

    expect(text).not.toMatch(/^\s*::|##\[/m)
  }
})

test('every report format shows late effects and the wait times', () => {
  const effectDelay = { latestMs: 3_421, waitedMs: 10_000 }

  const run = { ...buildRun(buildResult(PASSED)), effectDelay }
  const told = 'effects came within 3.4 s · checks waited up to 10 s for an effect'

  expect(summaryText(run, options)).toMatch(new RegExp(`\n${told}$`))
  expect(htmlReport(run, options)).toContain(told)
  expect(markdownPages(run, options, undefined).text).toContain(told)
})

test('every report format names the selected world', () => {
  const run = (world: string | null) => ({ ...buildRun(buildResult(PASSED)), world })
  const reports = (world: string | null) => [
    summaryText(run(world), options),
    htmlReport(run(world), options),
    markdownPages(run(world), options, undefined).text,
  ]

  for (const report of reports('anna')) expect(report).toContain('in world anna')
  for (const report of reports('new')) expect(report).toContain('in its own world')
  for (const report of reports(null)) expect(report).not.toMatch(/in (a )?world /)
})
