import { expect, test } from 'vitest'
import {
  controlFailed,
  failed,
  notObservable,
  probeFailed,
  type Finding,
} from '../../../contracts/finding.ts'
import { annotationsReport } from '../../../contracts/report/annotations.ts'
import { checkText, resultLine } from '../../../contracts/report/check-text.ts'
import { htmlReport } from '../../../contracts/report/html.ts'
import { jsonReport } from '../../../contracts/report/json.ts'
import { junitReport } from '../../../contracts/report/junit.ts'
import { markdownPages } from '../../../contracts/report/markdown.ts'
import { summaryText } from '../../../contracts/report/text.ts'
import type { ReportOptions } from '../../../contracts/report/report.ts'
import { maskResult } from '../../../contracts/run/mask-result.ts'
import type { RunEvent, RunResult } from '../../../contracts/run/run-result.ts'
import { createMask } from '../../../sandbox/engine/core/masking.ts'
import { buildExchange, buildResult, buildRun, REPORT_OPTIONS } from '../support/run-results.ts'

const HUSH = 'hush-hush, in any text'
const mask = createMask([HUSH])

const exchange = buildExchange(`items ${HUSH}`, {
  status: 500,
  message: `answered 500 ${HUSH}`,
  request: {
    method: 'POST',
    url: 'https://me:hush@localhost/x?api_key=hush',
    headers: [
      ['Authorization', 'Bearer hush'],
      ['x-odd', HUSH],
    ],
    body: HUSH,
  },
  response: {
    status: 500,
    headers: [
      ['set-cookie', 'id=hush'],
      ['authorization', 'hush'],
      ['x-next', '/y?access_token=hush'],
    ],
    body: `see https://localhost/z?token=hush and ${HUSH}`,
  },
})

const called = {
  id: 1,
  at: '2026-11-20T09:06:38.448Z',
  real_at: '2026-11-20T09:06:38.448Z',
  method: 'GET',
  path: '/items/i?access_token=hush',
  operation: 'showItem',
  object_type: 'items',
  object_id: 'i',
  by: 'sandbox',
  user_agent: HUSH,
  status: 200,
  took_ms: 1,
  faults: [],
} as const

const events: readonly RunEvent[] = [
  { kind: 'world', atMs: 0, text: HUSH, about: [] },
  { kind: 'sent', atMs: 1, exchange },
  { kind: 'called', atMs: 2, request: { ...called, faults: [] } },
]

const FINDINGS: readonly Finding[] = [
  failed(HUSH, HUSH, { exchanges: [exchange] }),
  { kind: 'passed', unobserved: HUSH },
  probeFailed(HUSH),
  controlFailed(HUSH, { exchanges: [exchange] }),
  notObservable(HUSH),
]

const run = buildRun(...FINDINGS.map((finding) => maskResult(buildResult(finding, { events }), mask)))

const OUTPUTS: readonly (readonly [
  name: string,
  output: (run: RunResult, options: ReportOptions) => string,
])[] = [
  ['a terminal', summaryText],
  ['a line of a terminal', ({ results }) => results.map((result) => resultLine(result)).join('\n')],
  ['a test', ({ results }, options) => results.map((result) => checkText(result, options)).join('\n')],
  ['JSON', jsonReport],
  ['JUnit', junitReport],
  ['HTML', htmlReport],
  ['Markdown', (one, options) => markdownPages(one, options, undefined).text],
  ['annotations', annotationsReport],
]

test.each(OUTPUTS)('%s shows no secret of what was sent, answered and found', (_, output) => {
  const text = output(run, REPORT_OPTIONS)

  expect(text).toContain('***')
  expect(text).not.toContain('hush')
})

test('an exchange of the evidence is still the one of the events', () => {
  const { finding, events: masked } = maskResult(buildResult(FINDINGS[0], { events }), mask)

  const [first] = (finding?.kind === 'failed' && finding.evidence.exchanges) || []
  expect(masked.some((event) => event.kind === 'sent' && event.exchange === first)).toBe(true)
})
