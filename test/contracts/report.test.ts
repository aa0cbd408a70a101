import { expect, test } from 'vitest'
import type { Check, Finding } from '../../contracts/check.ts'
import { resultLine, summaryText } from '../../contracts/report/text.ts'
import type { RunResult } from '../../contracts/run-checks.ts'
import type { Outcome } from '../../sandbox/index.ts'

const COMMAND = "npx hookbench check 'https://localhost:9443/hooks'"

function resultOf(finding: Finding): RunResult {
  const check: Check = {
    id: 'topic/what-is-wrong',
    severity: 'must',
    level: 0,
    requirement: 'The receiver does what it should.',
    source: ['§2.5', '§6.1'],
    readings: ['delivery-success'],
    run: async () => finding,
  }
  const summary = { passed: 0, failed: 0, inconclusive: 0, [finding.kind]: 1 }
  return { results: [{ check, finding }], summary }
}

function failed(body: Uint8Array): RunResult {
  const outcome: Outcome = { kind: 'answered', status: 500, headers: [], body }
  return resultOf({
    kind: 'failed',
    expected: 'an answer from 200 to 299',
    actual: 'it was answered 500',
    meaning: 'Notifications are lost. Answer 2xx.',
    exchanges: [{ label: 'items-voided', sent: '{"items":{}}', outcome }],
  })
}

test('the report of a failure says everything that it takes to understand and repeat it', () => {
  const text = summaryText(failed(Buffer.from('Oops')), COMMAND)

  for (const part of [
    'topic/what-is-wrong',
    'The receiver does what it should.',
    'expected  an answer from 200 to 299',
    'actual    it was answered 500',
    'meaning   Notifications are lost. Answer 2xx.',
    'sent      items-voided: {"items":{}}',
    'answered  500 Oops',
    'document  §2.5, §6.1; readings delivery-success',
    `repeat    ${COMMAND} topic/what-is-wrong`,
    '0 passed, 1 failed, 0 inconclusive',
  ]) {
    expect(text).toContain(part)
  }
})

test('the report of an inconclusive check says why, and how to repeat it', () => {
  const result = resultOf({
    kind: 'inconclusive',
    cause: 'unreachable',
    why: 'items-voided: connect_refused: Nobody',
    exchanges: [],
  })

  const text = summaryText(result, COMMAND)

  expect(text).toContain('why       items-voided: connect_refused: Nobody')
  expect(text).toContain(`repeat    ${COMMAND} topic/what-is-wrong`)
  expect(text).toContain('0 passed, 0 failed, 1 inconclusive')
})

test('the report of a passed check is its count', () => {
  const text = summaryText(resultOf({ kind: 'passed', exchanges: [] }), COMMAND)

  expect(text).toContain('1 passed, 0 failed, 0 inconclusive')
  expect(text).not.toContain('topic/what-is-wrong')
})

const CONTROLS = [
  '\u001B[2J',
  '\u001B]0;title\u0007',
  '\r',
  '\b',
  '\u009B',
  '\u0000',
  '\u202E',
  '\u2066',
  '\u007F',
]

test.each(CONTROLS)('an answer cannot steer the terminal by %j', (control) => {
  const body = Buffer.from(`before${control}after\ntopic/other: passed`)

  const text = summaryText(failed(body), COMMAND)

  expect(text).not.toContain(control)
  expect(text.split('\n').find((line) => line.includes('answered  500'))).toMatch(
    /before.*after.*other: passed/,
  )
})

test('an answer that is long or no text is shown in part', () => {
  const body = Buffer.from(`${'\u00FF'.repeat(10)}${'x'.repeat(60_000)}`, 'latin1')

  const text = summaryText(failed(body), COMMAND)

  expect(text.length).toBeLessThan(1_500)
  expect(text).toContain('…')
})

test.each(['passed', 'failed', 'inconclusive'] as const)(
  'the line of a %s check names it and its source',
  (kind) => {
    const findings: Record<typeof kind, Finding> = {
      passed: { kind: 'passed', exchanges: [] },
      failed: { kind: 'failed', expected: '', actual: '', meaning: '', exchanges: [] },
      inconclusive: { kind: 'inconclusive', cause: 'unreachable', why: '', exchanges: [] },
    }
    const [result] = resultOf(findings[kind]).results

    const line = result ? resultLine(result) : ''

    expect(line).toMatch(/[✓✗?].* topic\/what-is-wrong +MUST +§2\.5, §6\.1$/)
  },
)
