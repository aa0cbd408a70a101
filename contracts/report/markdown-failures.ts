import { repeatCommand } from './case-repeat.ts'
import { storyOf } from './check-text.ts'
import type { CheckResult, RunResult } from '../run/run-result.ts'
import { hasOwnRemedy } from './causes.ts'
import { describeCause, describeExtent } from './cause-text.ts'
import { PLAIN_SCREEN } from './columns.ts'
import { evidenceLines } from './exchange-text.ts'
import { groupFailures, type FailureGroup } from './failure-groups.ts'
import { code, codeBlock, htmlText, markdownText } from './markdown-text.ts'
import { abbreviateIds } from './markup.ts'
import { checkUrl, explainVerdict, quoteSource, type CheckReportOptions } from './report.ts'
import { toPrintable } from '../../sandbox/internal.ts'

/** A list of what failed, what to mend first ahead. */
export function failureIndex(result: RunResult): readonly string[] {
  return groupFailures(result).map((group, index) => {
    const { cause, lead } = group
    const text = cause
      ? `**${markdownText(describeCause(cause).title)}**: ${markdownText(describeExtent(group))}`
      : `${code(lead.check.id)} (${lead.check.severity}): ${markdownText(abbreviateIds(explainVerdict(lead)))}`
    return `${index + 1}. ${text}`
  })
}

/** All about each failure, folded; of what failed for one cause, all about the first, and the names of the others. */
export function failureBlocks(result: RunResult, options: CheckReportOptions): readonly string[] {
  return groupFailures(result).map((group) => groupLines(group, options).join('\n'))
}

function groupLines(group: FailureGroup, options: CheckReportOptions): readonly string[] {
  const { cause, lead } = group
  const { check } = lead
  const title = cause
    ? `<strong>${htmlText(describeCause(cause).title)}</strong> <em>${htmlText(describeExtent(group))}</em>`
    : `<strong>${htmlText(check.id)}</strong>: ${htmlText(check.requirement)} <em>${check.severity.toUpperCase()}</em>`
  return [
    `<details><summary>❌ ${title}</summary>`,
    '',
    ...(cause ? causeLines(group, describeCause(cause).advice) : []),
    ...checkLines(lead, options, hasOwnRemedy(cause)),
    '</details>',
  ]
}

function causeLines({ lead, others, unjudged }: FailureGroup, advice: string): readonly string[] {
  const item = (name: string, members: readonly CheckResult[]) =>
    members.length === 0 ? [] : [`- **${name}**: ${members.map(({ check }) => code(check.id)).join(', ')}`]
  return [
    markdownText(advice),
    '',
    ...item('Failed by the same cause', others),
    ...item('Not to be judged before it is mended', unjudged),
    '',
    `${code(lead.check.id)}: ${markdownText(lead.check.requirement)}`,
    '',
  ]
}

function checkLines(result: CheckResult, options: CheckReportOptions, isExample: boolean): readonly string[] {
  const { check, finding } = result
  const evidence = evidenceLines(result, PLAIN_SCREEN).join('\n').trimEnd()
  return [
    `- **Expected**: ${markdownText(finding?.kind === 'failed' ? finding.expected : '')}`,
    `- **Actual**: ${markdownText(explainVerdict(result))}`,
    ...storyOf(result).map((line) => `- **Story**: ${markdownText(line)}`),
    ...(isExample
      ? []
      : [`- **Meaning**: ${markdownText(check.meaning)}`, `- **Fix**: ${markdownText(check.remedy)}`]),
    ...quoteSource(result).map((line) => `- **Document**: ${markdownText(line)}`),
    ...(check.readings?.length ? [`- **Reading**: ${check.readings.map(code).join(', ')}`] : []),
    '',
    ...(evidence === '' ? [] : [...codeBlock(evidence, 'text'), '']),
    'Repeat only this:',
    '',
    ...codeBlock(toPrintable(repeatCommand(result, options)), 'sh'),
    '',
    `All about this check: ${checkUrl(check.id)}`,
    '',
  ]
}
