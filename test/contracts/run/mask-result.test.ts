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
import { maskResult, listSecrets } from '../../../contracts/run/run-secrets.ts'
import type { RunEvent, RunResult } from '../../../contracts/run/run-result.ts'
import { createMask } from '../../../sandbox/engine/core/masking.ts'
import { receiverOptions, secretHolder } from '../support/run-options.ts'
import { buildExchange, buildResult, buildRun, CALL, REPORT_OPTIONS } from '../support/run-results.ts'

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

const events: readonly RunEvent[] = [
  { kind: 'world', atMs: 0, text: HUSH, about: [] },
  { kind: 'sent', atMs: 1, exchange },
  { kind: 'called', atMs: 2, request: { ...CALL, path: '/items/i?access_token=hush', user_agent: HUSH } },
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
  ['terminal result line', ({ results }) => results.map((result) => resultLine(result)).join('\n')],
  ['test failure', ({ results }, options) => results.map((result) => checkText(result, options)).join('\n')],
  ['JSON', jsonReport],
  ['JUnit', junitReport],
  ['HTML', htmlReport],
  ['Markdown', (one, options) => markdownPages(one, options, undefined).text],
  ['annotations', annotationsReport],
]

test.each(OUTPUTS)('the output %s masks secrets in requests, responses and findings', (_, output) => {
  const text = output(run, REPORT_OPTIONS)

  expect(text).toContain('***')
  expect(text).not.toContain('hush')
})

const TOKEN = '7c1a3446dfd0c9e1cf280d50ca60fdba'
const ENCODED = `%37${TOKEN.slice(1)}`

const TOKEN_FORMS: readonly (readonly [name: string, registered: string, sent: string])[] = [
  ['unchanged', TOKEN, TOKEN],
  ['changed', TOKEN, `${TOKEN.slice(0, -1)}a`],
  ['shortened', TOKEN, TOKEN.slice(0, -1)],
  ['in upper case', TOKEN, TOKEN.toUpperCase()],
  ['percent-encoded', ENCODED, ENCODED],
  ['percent-encoded and sent decoded', ENCODED, TOKEN],
]

test.each(OUTPUTS.flatMap(([name, output]) => TOKEN_FORMS.map((form) => [name, ...form, output] as const)))(
  'the output %s shows no part of a URL token that is sent %s',
  (...[, , registered, sent, output]) => {
    const urls = { webhooks: `https://localhost/{object_type}/${registered}` }
    const maskUrls = createMask(listSecrets(secretHolder({ receiver: receiverOptions({ urls }) })))
    const posted = buildExchange(`items, token of ${sent}`, {
      status: 204,
      request: { method: 'POST', url: `https://localhost/items/${sent}`, headers: [], body: '{}' },
      response: { status: 204, headers: [['location', `/items/${sent}`]], body: `no route /items/${sent}` },
    })
    const finding = failed('a refusal', `a 204 of https://localhost/items/${sent}`, { exchanges: [posted] })
    const result = buildResult(finding, { events: [{ kind: 'sent', atMs: 1, exchange: posted }] })

    const text = output(buildRun(maskResult(result, maskUrls)), REPORT_OPTIONS)

    expect(text).not.toMatch(new RegExp(TOKEN.slice(1, 9), 'i'))
  },
)
