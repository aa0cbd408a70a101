import { expect, test } from 'vitest'
import { jsonReport } from '../../../contracts/report/json.ts'
import { failed } from '../../../contracts/finding.ts'
import { htmlReport } from '../../../contracts/report/html.ts'
import type { CheckResult } from '../../../contracts/run/run-result.ts'
import {
  buildCheck,
  buildExchange,
  buildResult,
  buildRun,
  wholeRun,
  REPORT_OPTIONS as options,
} from '../support/run-results.ts'

test('the JSON report contains exactly the expected fields', () => {
  const report = JSON.parse(jsonReport(wholeRun(), options))

  expect(report).toMatchObject({ conclusion: 'failed', headline: '2 checks failed, 1 of them required' })
  expect(Object.keys(report)).toEqual([
    'conclusion',
    'headline',
    'receiver',
    'readings',
    'seed',
    'world',
    'level',
    'effect_delay',
    'summary',
    'consequences',
    'failures',
    'checks',
  ])
  expect(report.effect_delay).toEqual({ latest_ms: 40, waited_ms: 5_000 })
  expect(report.failures).toMatchObject([
    { cause: null, check: 'order/final-then-earlier', others: [], unjudged: [] },
    { cause: null, check: 'http/answers-in-time' },
  ])
  expect(report.summary).toEqual({
    passed: 5,
    partly_observed: 1,
    failed: 3,
    not_observable: 3,
    inconclusive: 1,
    skipped: 1,
  })
  expect(report.checks[3]).toMatchObject({
    verdict: 'partly_observed',
    actual: 'whether each had its effect',
  })
  expect(report.checks[6]).toEqual({
    id: 'order/final-then-earlier',
    severity: 'must',
    level: 2,
    verdict: 'failed',
    requirement: expect.any(String),
    source: expect.arrayContaining([expect.stringMatching(/^L217 \(§3\): /)]),
    reading: ['retry-window'],
    expected: expect.stringMatching(/^one effect/),
    actual: '2 effects, and the receiver shows the state pending',
    remedy: expect.any(String),
    exchanges: expect.any(Array),
    omitted: [],
    repeat: "npx hookbench check 'order/final-then-earlier'",
  })
})

test('the JSON report shows each exchange with its request and response, and each effect with its count and state', () => {
  const { exchanges } = JSON.parse(jsonReport(wholeRun(), options)).checks[6]

  expect(exchanges.map(({ kind }: { kind: string }) => kind)).toEqual([
    'world',
    'sent',
    'sent',
    'effects',
    'effects',
    'effects',
    'called',
  ])
  expect(exchanges[1]).toMatchObject({
    label: 'disbursements pending',
    request: { method: 'POST', body: expect.stringContaining('"amount":120000') },
    response: { status: 204 },
    took_ms: 3,
  })
  expect(exchanges[5]).toMatchObject({ object_type: 'disbursements', effects: 2, state: 'pending' })
})

function refusals(id: string, count: number): CheckResult {
  const { request } = buildExchange('items completed')
  const exchanges = Array.from({ length: count }, (_, index) =>
    buildExchange(`items completed, attempt ${index}`, {
      request: { ...request, body: `${index}` },
      status: 500,
      response: { status: 500, headers: [], body: `${index} ${'x'.repeat(6_000)}` },
    }),
  )
  return buildResult(failed('2xx', '500', { exchanges }), {
    check: buildCheck(id),
    events: exchanges.map((exchange, index) => ({ kind: 'sent', atMs: index, exchange })),
  })
}

test.each([
  ['an HTML report', htmlReport],
  ['a JSON report', jsonReport],
])('%s stays below 1 MB for a receiver that rejects everything, except the full report', (_name, report) => {
  const run = buildRun(...Array.from({ length: 40 }, (_each, index) => refusals(`order/check-${index}`, 80)))

  const [text, whole] = [report(run, options), report(run, { ...options, full: true })].map((each) =>
    Buffer.byteLength(each),
  )

  expect(text).toBeLessThanOrEqual(1_000_000)
  expect(whole).toBeGreaterThan(10_000_000)
})

test('the JSON report counts omitted deliveries by response status', () => {
  const { checks } = JSON.parse(jsonReport(buildRun(refusals('a/one', 90)), options))

  expect(checks[0].exchanges).toHaveLength(40)
  expect(checks[0].omitted).toEqual([
    { label: 'items completed, attempt 0', status: 500, reason: null, count: 50 },
  ])
})
