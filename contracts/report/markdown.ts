import { requiredLevel } from '../check.ts'
import { countVerdicts, type CheckResult, type RunResult } from '../run/run-result.ts'
import { evidenceLines } from './exchange-text.ts'
import { headlineOf, TONES } from './headline.ts'
import {
  newFailures,
  LEVELS,
  fixedFailures,
  quoteSource,
  formatMs,
  VERDICTS,
  explainVerdict,
  type Report,
  type CheckReportOptions,
} from './report.ts'
import { groupUnobserved } from './unobserved.ts'
import { toPrintable } from '../../sandbox/internal.ts'

/** What a pull request shows, in GitHub's Markdown. */
export const markdownReport: Report = (result, options) => {
  const failures = newFailures(result)
  const fixed = fixedFailures(result)
  const { sentence, details, tone } = headlineOf(result, options.demands)
  return [
    `## ${TONES[tone].emoji} Webhook receiver: ${lowerFirst(sentence)}`,
    '',
    ...details.flatMap((text) => [markdownText(text), '']),
    countsTable(result),
    '',
    `Receiver ${code(result.receiver)}, seed ${result.seed}, observed up to level ${result.level} (${LEVELS[result.level]}), ${formatMs(result.tookMs)}`,
    ...failures.flatMap((failed) => ['', ...failureDetails(failed, options)]),
    ...section(
      '### Known to fail, but passes: take it out of `knownFailures`',
      fixed.map(({ check }) => `- ${code(check.id)}`),
    ),
    ...section('### Inconclusive', inconclusiveItems(result)),
    ...section('### Not observed', unobservedItems(result)),
    '',
    '<details><summary>All checks</summary>',
    '',
    '| Check | Severity | Verdict |',
    '| --- | --- | --- |',
    ...result.results.map(checkRow),
    '',
    '</details>',
    '',
  ].join('\n')
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function countsTable(result: RunResult): string {
  const { passed, failed, inconclusive, skipped, 'not-observable': unobserved } = countVerdicts(result)
  return [
    '| Passed | Failed | Inconclusive | Not observable | Skipped |',
    '| ---: | ---: | ---: | ---: | ---: |',
    `| ${passed} | ${failed} | ${inconclusive} | ${unobserved} | ${skipped} |`,
  ].join('\n')
}

function failureDetails(result: CheckResult, options: CheckReportOptions): readonly string[] {
  const { check, finding } = result
  const title = `${htmlText(check.id)}</strong>: ${htmlText(check.requirement)}`
  return [
    `<details><summary>❌ <strong>${title} <em>${check.severity.toUpperCase()}</em></summary>`,
    '',
    `- **Expected**: ${markdownText(finding?.kind === 'failed' ? finding.expected : '')}`,
    `- **Actual**: ${markdownText(explainVerdict(result))}`,
    `- **Meaning**: ${markdownText(check.meaning)}`,
    `- **Fix**: ${markdownText(check.remedy)}`,
    ...quoteSource(result).map((line) => `- **Document**: ${markdownText(line)}`),
    ...(check.readings?.length ? [`- **Reading**: ${check.readings.map(code).join(', ')}`] : []),
    '',
    ...codeBlock(
      evidenceLines(result, (_, text) => text)
        .join('\n')
        .trimEnd(),
      'text',
    ),
    '',
    'Repeat only this:',
    '',
    ...codeBlock(toPrintable(options.repeat(check.id)), 'sh'),
    '',
    '</details>',
  ]
}

function inconclusiveItems({ results }: RunResult): readonly string[] {
  const all = results.filter(({ verdict }) => verdict === 'inconclusive')
  return [...Map.groupBy(all, explainVerdict)].map(
    ([why, members]) => `- ${members.map(({ check }) => code(check.id)).join(', ')}: ${markdownText(why)}`,
  )
}

function unobservedItems(result: RunResult): readonly string[] {
  return groupUnobserved(result).map(
    ({ text, names }) => `- ${markdownText(text)}: ${names.map((name) => code(name)).join(', ')}`,
  )
}

function checkRow({ check, verdict, knownFailure }: CheckResult): string {
  const note = knownFailure ? ' (known to fail)' : ''
  return `| ${code(check.id)} | ${check.severity}, ${LEVELS[requiredLevel(check)]} | ${VERDICTS[verdict]}${note} |`
}

function section(heading: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ['', heading, '', ...items]
}

/** A fence longer than any run of backticks inside. */
function codeBlock(text: string, language: string): readonly string[] {
  const fence = '`'.repeat(longestRun(text, 2) + 1)
  return [fence + language, text, fence]
}

function code(text: string): string {
  const clean = toPrintable(text).replaceAll('|', '\\|')
  const fence = '`'.repeat(longestRun(clean, 0) + 1)
  return fence.length === 1 ? `\`${clean}\`` : `${fence} ${clean} ${fence}`
}

function longestRun(text: string, least: number): number {
  return Math.max(least, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}

function htmlText(text: string): string {
  return toPrintable(text).replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Text that is no markup, no mention and no link, whatever it says. */
function markdownText(text: string): string {
  return toPrintable(text)
    .replaceAll(/[&<>@#]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/[\\`*_{}[\]()|~!]/g, String.raw`\$&`)
    .replaceAll('://', ':&#47;/')
}
