import { repeatCommand } from './case-repeat.ts'
import { requiredLevel } from '../check.ts'
import { formatConsequence } from '../run/judged-consequences.ts'
import { countVerdicts, type CheckResult } from '../run/run-result.ts'
import {
  fixedFailures,
  knownFailures,
  LEVELS,
  quoteSource,
  explainVerdict,
  type Report,
  type CheckReportOptions,
} from './report.ts'
import { checkText } from './check-text.ts'

/** One test case per check, for a CI server. */
export const junitReport: Report = (result, options) => {
  const { failed, inconclusive, skipped, 'not-observable': unobserved } = countVerdicts(result)
  const known = knownFailures(result)
  const counts = attributes({
    name: 'hookbench',
    tests: result.results.length,
    failures: failed - known.length + fixedFailures(result).length,
    errors: inconclusive,
    skipped: skipped + unobserved + known.length,
    time: seconds(result.tookMs),
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${counts}>`,
    `  <testsuite${counts}${attributes({ timestamp: result.startedAt })}>`,
    ...propertiesXml(
      '    ',
      Object.entries({
        receiver: result.receiver,
        seed: String(result.seed),
        ...(result.world !== null && { world: result.world }),
        level: `${result.level} (${LEVELS[result.level]})`,
        ...Object.fromEntries(
          Object.entries(result.readings).map(([id, option]) => [`reading.${id}`, option]),
        ),
        ...Object.fromEntries(
          result.consequences
            .filter(({ isMissed }) => isMissed)
            .map((each) => [`unjudged.${each.kind}`, `${formatConsequence(each)}: ${each.obstacle}`]),
        ),
      }),
    ),
    ...result.results.flatMap((one) => testCaseXml(one, options)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCaseXml(result: CheckResult, options: CheckReportOptions): readonly string[] {
  const { check, tookMs } = result
  const [topic = ''] = check.id.split('/')
  const properties: readonly (readonly [string, string])[] = [
    ['severity', check.severity],
    ['level', `${requiredLevel(check)} (${LEVELS[requiredLevel(check)]})`],
    ['requirement', check.requirement],
    ...quoteSource(result).map((line) => ['document', line] as const),
    ...(check.readings ?? []).map((id) => ['reading', id] as const),
    ['repeat', repeatCommand(result, options)],
  ]
  return [
    `    <testcase${attributes({ classname: `hookbench.${topic}`, name: check.id, time: seconds(tookMs) })}>`,
    ...propertiesXml('      ', properties),
    ...outcomeXml(result, options),
    '    </testcase>',
  ]
}

function outcomeXml(result: CheckResult, options: CheckReportOptions): readonly string[] {
  const { verdict, finding, knownFailure } = result
  const body = () => escapeXml(checkText(result, options))
  const element = (name: string, message: string, type: string) => [
    `      <${name}${attributes({ message, type })}>${body()}</${name}>`,
  ]
  const skipped = (message: string) => [`      <skipped${attributes({ message })}/>`]
  switch (verdict) {
    case 'passed':
      if (knownFailure) return element('failure', FIXED, 'known-failure')
      return finding?.kind === 'passed' && finding.unobserved !== undefined
        ? [`      <system-out>${escapeXml(finding.unobserved)}</system-out>`]
        : []
    case 'failed':
      return knownFailure
        ? skipped(`known to fail: ${explainVerdict(result)}`)
        : element(
            'failure',
            `expected ${expectedText(result)}, but ${explainVerdict(result)}`,
            result.check.severity,
          )
    case 'inconclusive':
      return element(
        'error',
        explainVerdict(result),
        finding?.kind === 'inconclusive' ? finding.cause : 'inconclusive',
      )
    case 'not-observable':
      return skipped(`not observable: ${explainVerdict(result)}`)
    case 'skipped':
      return skipped(explainVerdict(result))
    default:
      return verdict satisfies never
  }
}

const FIXED = 'known to fail, but passes: take it out of knownFailures'

function expectedText({ finding }: CheckResult): string {
  return finding?.kind === 'failed' ? finding.expected : ''
}

function propertiesXml(
  margin: string,
  properties: readonly (readonly [string, string])[],
): readonly string[] {
  const each = properties.map(([name, value]) => `${margin}  <property${attributes({ name, value })}/>`)
  return [`${margin}<properties>`, ...each, `${margin}</properties>`]
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
}

/** What XML 1.0 has no way to say is replaced. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- these are the characters to take out
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll(
        /[&<>"'\t\n\r\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
        (character) => ENTITIES[character] ?? `&#${character.charCodeAt(0)};`,
      )
      .replaceAll('&#10;', '\n')
      // A report may be printed in a log of a GitHub workflow, which takes these for its commands.
      .replaceAll(/^([^\S\n]*):(?=:)/gm, '$1&#58;')
      .replaceAll('##[', '##&#91;')
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function seconds(durationMs: number): string {
  return (durationMs / 1_000).toFixed(3)
}
