import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { junitReport } from '../../../contracts/report/junit.ts'
import { controlFailed, failed, notObservable, PASSED, type Finding } from '../../../contracts/finding.ts'
import { toExitCode, type Demands } from '../../../contracts/run/exit-code.ts'
import type { CheckResult, RunResult } from '../../../contracts/run/run-result.ts'
import { buildCheck, buildResult, buildRun, REPORT_OPTIONS, wholeRun } from '../support/run-results.ts'

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/** Parses strict XML 1.0. Throws at the first error. */
function parsed(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes } as Record<string, string>, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element) element.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return root
}

function casesOf(run: RunResult): readonly Element[] {
  const xml = junitReport(run, REPORT_OPTIONS)
  const [suite] = parsed(xml).children[0]?.children ?? []
  return suite?.children.filter(({ name }) => name === 'testcase') ?? []
}

function outcomeOf({ children }: Element): Element | undefined {
  return children.find(({ name }) => name !== 'properties')
}

test('a JUnit report has one case for each check with its verdict', () => {
  const outcomes = casesOf(wholeRun()).map((one) => [one.attributes['name'], outcomeOf(one)?.name])

  expect(outcomes).toEqual([
    ['registration/accepts-test-post', undefined],
    ['registration/unicode-test-post', undefined],
    ['transport/trusted-chain', undefined],
    ['http/accepts-golden-bodies', 'system-out'],
    ['http/answers-in-time', 'skipped'],
    ['idempotency/same-delivery-again', undefined],
    ['order/final-then-earlier', 'failure'],
    ['trust/lying-body', 'skipped'],
    ['trust/absolute-link', 'failure'],
    ['trust/show-hangs', 'error'],
    ['recovery/survives-kill', 'skipped'],
    ['recovery/keeps-accepted', 'skipped'],
    ['trust/source-addresses', 'skipped'],
    ['trust/signature', 'skipped'],
  ])
})

const must = (finding: Finding, fields: Partial<CheckResult> = {}) => buildResult(finding, fields)
const should = (finding: Finding) => must(finding, { check: buildCheck('a/advice', { severity: 'should' }) })
const broken = failed('2xx', '500', {})

const isRed = (run: RunResult, demands: Demands) => {
  const [suites] = parsed(junitReport(run, { ...REPORT_OPTIONS, demands })).children
  const { failures, errors } = suites?.attributes ?? {}
  return Number(failures) + Number(errors) > 0
}

test.each<[string, RunResult]>([
  ['everything passes', buildRun(must(PASSED))],
  ['a required check fails', buildRun(must(broken))],
  ['a recommended check fails', buildRun(must(PASSED), should(broken))],
  ['a required check could not be judged', buildRun(must(controlFailed('500', {})))],
  ['a known failure passes', buildRun(must(PASSED, { knownFailure: true }))],
  ['nothing is observable', buildRun(must(notObservable('its effects')))],
])('the JUnit report shows a failure exactly when the exit code is not 0 (%s)', (_, run) => {
  for (const failOn of ['must', 'should'] as const) {
    const demands = { failOn, require: [] }

    expect([failOn, isRed(run, demands)]).toEqual([failOn, toExitCode(run, demands) !== 0])
  }
})

test('a failed recommended check keeps its details in the JUnit report', () => {
  const [one] = casesOf(buildRun(should(broken)))

  expect(one?.children.at(-2)?.attributes['message']).toBe('a failed recommendation: expected 2xx, but 500')
  expect(one?.children.at(-1)?.text).toContain('✗ a/advice')
})

test('a JUnit case has the severity, the requirement and the lines of the service document', () => {
  const properties = casesOf(wholeRun())[6]?.children.find(({ name }) => name === 'properties')

  expect(properties?.children.map(({ attributes }) => [attributes['name'], attributes['value']])).toEqual(
    expect.arrayContaining([
      ['severity', 'must'],
      ['level', '2 (effects)'],
      ['document', expect.stringMatching(/^L283 \(§5\): /)],
      ['reading', 'retry-window'],
      ['repeat', "npx hookbench check 'order/final-then-earlier'"],
    ]),
  )
})

test('a JUnit report replaces characters that XML does not allow', () => {
  const every = String.fromCharCode(...Array.from({ length: 0xff_ff }, (_, code) => code))
  const run = { ...wholeRun(), receiver: every }

  expect(() => casesOf(run)).not.toThrow()
})
