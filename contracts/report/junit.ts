import { requiredLevel } from '../check.ts'
import { toExitCode, type Demands } from '../run/exit-code.ts'
import { formatConsequence } from '../run/judged-consequences.ts'
import { countVerdicts, reportedVerdict, type CheckResult, type RunResult } from '../run/run-result.ts'
import { checkText } from './check-text.ts'
import { escapeXml } from './escape.ts'
import { headlineOf } from './headline.ts'
import { repeatCommand } from './repeat.ts'
import { explainVerdict, LEVELS, quoteSource, type Report, type ReportOptions } from './report.ts'

/** If the run fails without a failed check, adds a failing test case. The CI result then matches the exit code. */
export const junitReport: Report = (result, options) => {
  const outcomes = result.results.map((one) => outcomeOf(one, options.demands))
  const count = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length
  const [failures, errors] = [count('failure'), count('error')]
  const isUnexplained = failures + errors === 0 && toExitCode(result, options.demands) !== 0
  const counts = attributes({
    name: 'hookbench',
    tests: outcomes.length + Number(isUnexplained),
    failures,
    errors: errors + Number(isUnexplained),
    skipped: count('skipped'),
    time: seconds(result.tookMs),
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${counts}>`,
    `  <testsuite${counts}${attributes({ timestamp: result.startedAt })}>`,
    ...propertiesXml('    ', runProperties(result)),
    ...result.results.flatMap((one) => testCaseXml(one, options)),
    ...(isUnexplained ? conclusionXml(result, options) : []),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

type Properties = readonly (readonly [name: string, value: string])[]

function runProperties(result: RunResult): Properties {
  const missed = result.consequences.filter(({ isMissed }) => isMissed)
  return [
    ['receiver', result.receiver],
    ['seed', String(result.seed)],
    ...(result.world === null ? [] : [['world', result.world] as const]),
    ['level', `${result.level} (${LEVELS[result.level]})`],
    ['partly-observed', String(countVerdicts(result)['partly-observed'])],
    ...Object.entries(result.readings).map(([id, option]) => [`reading.${id}`, option] as const),
    ...missed.map(
      (each) => [`unjudged.${each.kind}`, `${formatConsequence(each)}: ${each.obstacle}`] as const,
    ),
  ]
}

function conclusionXml(result: RunResult, { demands }: ReportOptions): readonly string[] {
  const { sentence, details, kind } = headlineOf(result, demands)
  const text = details.join('\n')
  return [
    `    <testcase${attributes({ classname: 'hookbench.run', name: 'run/conclusion', time: seconds(0) })}>`,
    `      <error${attributes({ message: sentence, type: kind })}>${escapeXml(text)}</error>`,
    '    </testcase>',
  ]
}

function testCaseXml(result: CheckResult, options: ReportOptions): readonly string[] {
  const { check, tookMs, finding } = result
  const [topic = ''] = check.id.split('/')
  const isPart = reportedVerdict(result) === 'partly-observed'
  const properties: Properties = [
    ['severity', check.severity],
    ['level', `${requiredLevel(check)} (${LEVELS[requiredLevel(check)]})`],
    ...(isPart ? [['partly-observed', explainVerdict(result)] as const] : []),
    ['requirement', check.requirement],
    ...quoteSource(result).map((line) => ['document', line] as const),
    ...(check.readings ?? []).map((id) => ['reading', id] as const),
    ['repeat', repeatCommand(result, options)],
  ]
  const { kind, message, type } = outcomeOf(result, options.demands)
  const hasText = finding?.kind === 'failed' || kind === 'failure' || kind === 'error'
  const text = hasText ? escapeXml(checkText(result, options)) : ''
  const output = kind === 'skipped' ? text : isPart ? escapeXml(`partly observed: ${message}`) : ''
  return [
    `    <testcase${attributes({ classname: `hookbench.${topic}`, name: check.id, time: seconds(tookMs) })}>`,
    ...propertiesXml('      ', properties),
    ...(kind === 'passed'
      ? []
      : [
          `      <${kind}${attributes({ message, ...(kind !== 'skipped' && { type }) })}>${kind === 'skipped' ? '' : text}</${kind}>`,
        ]),
    ...(output === '' ? [] : [`      <system-out>${output}</system-out>`]),
    '    </testcase>',
  ]
}

interface Outcome {
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped'
  readonly message: string
  readonly type: string
}

function outcomeOf(result: CheckResult, { failOn }: Demands): Outcome {
  const { check, verdict, finding, knownFailure } = result
  const why = explainVerdict(result)
  const isCounted = check.severity === 'must' || failOn === 'should'
  switch (verdict) {
    case 'passed':
      return knownFailure
        ? { kind: 'failure', message: FIXED, type: 'known-failure' }
        : { kind: 'passed', message: why, type: verdict }
    case 'failed': {
      const text = `expected ${finding?.kind === 'failed' ? finding.expected : ''}, but ${why}`
      if (knownFailure) return { kind: 'skipped', message: `known to fail: ${why}`, type: 'known-failure' }
      return isCounted
        ? { kind: 'failure', message: text, type: check.severity }
        : { kind: 'skipped', message: `a failed recommendation: ${text}`, type: 'recommendation' }
    }
    case 'inconclusive': {
      const type = finding?.kind === 'inconclusive' ? finding.cause : verdict
      return isCounted && !knownFailure
        ? { kind: 'error', message: why, type }
        : { kind: 'skipped', message: `inconclusive: ${why}`, type }
    }
    case 'not-observable':
      return { kind: 'skipped', message: `not observable: ${why}`, type: verdict }
    case 'skipped':
      return { kind: 'skipped', message: why, type: verdict }
    default:
      return verdict satisfies never
  }
}

const FIXED = 'known to fail, but passes. Remove it from knownFailures'

function propertiesXml(margin: string, properties: readonly (readonly [string, string])[]) {
  const each = properties.map(([name, value]) => `${margin}  <property${attributes({ name, value })}/>`)
  return [`${margin}<properties>`, ...each, `${margin}</properties>`]
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
}

function seconds(durationMs: number): string {
  return (durationMs / 1_000).toFixed(3)
}
