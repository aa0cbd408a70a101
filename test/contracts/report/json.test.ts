import { expect, test } from 'vitest'
import { jsonReport } from '../../../contracts/report/json.ts'
import { HOSTILE, hostileRun, wholeRun, REPORT_OPTIONS } from '../support/run-results.ts'

const options = REPORT_OPTIONS

test('the report has these fields and no others', () => {
  const report = JSON.parse(jsonReport(wholeRun(), options))

  expect(report).toMatchObject({ conclusion: 'failed', headline: '2 checks failed, 1 of them a must' })
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
  expect(report.failures).toEqual([
    { cause: null, check: 'order/final-then-earlier', others: [], unjudged: [] },
    { cause: null, check: 'http/answers-in-time', others: [], unjudged: [] },
  ])
  expect(report.summary).toEqual({ passed: 6, failed: 3, not_observable: 3, inconclusive: 1, skipped: 1 })
  expect(report.checks[6]).toEqual({
    id: 'order/final-then-earlier',
    severity: 'must',
    level: 2,
    verdict: 'failed',
    requirement: expect.any(String),
    source: [
      expect.stringMatching(/^L217 \(§3\): /),
      'L283 (§5): The object can be fetched by the id in the body. A receiver should do so and trust only that.',
    ],
    reading: ['retry-window'],
    expected: expect.stringMatching(/^one effect/),
    actual: '2 effects, and it believes the state pending',
    exchanges: expect.any(Array),
    repeat: "npx hookbench check 'order/final-then-earlier'",
  })
})

test('an exchange has what was sent and answered, a moment of effects the count and the state', () => {
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

test('whatever was sent and answered comes back as it was', () => {
  const { checks } = JSON.parse(jsonReport(hostileRun(), options))

  expect(checks[0].exchanges[1].request.body).toBe(HOSTILE)
  expect(checks[0].exchanges[1].response.body).toBe(HOSTILE)
})

test.each(['not_observable', 'inconclusive', 'skipped'])('a check that is %s says why', (verdict) => {
  const { checks } = JSON.parse(jsonReport(wholeRun(), options))

  for (const check of checks) {
    if (check.verdict === verdict) expect(check).toMatchObject({ expected: null, actual: expect.any(String) })
  }
})

test('nothing from outside steers the terminal, or is a command of a workflow, where the report is printed', () => {
  const report = jsonReport(hostileRun(), options)

  expect(report).not.toMatch(
    // oxlint-disable-next-line no-control-regex -- these are the characters that must not be there
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
  )
  expect(report).not.toMatch(/^\s*::|##\[/m)
})
