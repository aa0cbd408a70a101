import { toPrintable } from '../../sandbox/internal.ts'
import { reportedVerdict, type CheckResult, type RunResult } from '../run/run-result.ts'
import { abbreviateIds, clip, lowerFirst, PLAIN_SCREEN } from './columns.ts'
import { htmlInMarkdown, markdownBlock, markdownCode as code, markdownText } from './escape.ts'
import { evidenceLines } from './check-text.ts'
import type { FailureGroup } from './failure-groups.ts'
import { TONES } from './headline.ts'
import { modelCheck, modelRun, titleOf, type ReportModel } from './model.ts'
import {
  checkUrl,
  explainVerdict,
  verdictText,
  type CheckReportOptions,
  type ReportOptions,
} from './report.ts'
import type { Section } from './sections.ts'

/** GitHub rejects a comment of 65,536 characters. */
const MAX_CHARACTERS = 60_000

/** Writes the summary. Failures that do not fit into the summary go to a second page, named by `rest`. */
export function markdownPages(result: RunResult, options: ReportOptions, rest: string | undefined) {
  const model = modelRun(result, options.demands)
  const blocks = model.failures.map((group) => failureBlock(group, options))
  const size = (parts: readonly string[]) => parts.join('\n').length
  const page = (shown: readonly string[], left: readonly string[]) =>
    [
      ...pageHead(model, result),
      ...blockLines(shown),
      ...leftLines(left.length, rest),
      ...pageFoot(model, result),
    ].join('\n')
  const room = MAX_CHARACTERS - size([page([], blocks)])
  const fits = blocks.findIndex((_, index) => size(blockLines(blocks.slice(0, index + 1))) > room)
  const shown = fits === -1 ? blocks : blocks.slice(0, fits)
  const left = blocks.slice(shown.length)
  return {
    text: page(shown, left),
    rest:
      left.length === 0
        ? undefined
        : ['## Webhook receiver: the other failures', ...blockLines(left), ''].join('\n'),
  }
}

function blockLines(blocks: readonly string[]): readonly string[] {
  return blocks.flatMap((block) => ['', block])
}

function leftLines(count: number, rest: string | undefined): readonly string[] {
  if (count === 0) return []
  const where =
    rest === undefined ? 'in the page that `--html` writes' : `in ${code(rest)}, next to this file`
  return ['', `The details of the last ${count} failures are ${where}.`]
}

function pageHead(model: ReportModel, result: RunResult): readonly string[] {
  const { headline, failures, unseen, counts, circumstances } = model
  const { sentence, details, tone } = headline
  return [
    `## ${TONES[tone].emoji} Webhook receiver: ${lowerFirst(sentence)}`,
    '',
    ...details.flatMap((text) => [markdownText(text), '']),
    ...paragraph(failures.map((group, index) => `${index + 1}. ${indexEntry(group)}`)),
    ...(unseen
      ? [
          `**${markdownText(unseen.title)}**`,
          '',
          ...paragraph(unseen.lines.map((line) => `- ${markdownText(line)}`)),
        ]
      : []),
    '| Passed | Partly observed | Failed | Inconclusive | Not observable | Skipped |',
    '| ---: | ---: | ---: | ---: | ---: | ---: |',
    `| ${counts.passed} | ${counts['partly-observed']} | ${counts.failed} | ${counts.inconclusive} | ${counts['not-observable']} | ${counts.skipped} |`,
    '',
    `Receiver ${code(result.receiver)}, ${circumstances.join(', ')}`,
  ]
}

function indexEntry({ words, lead }: FailureGroup): string {
  return words
    ? `**${markdownText(words.title)}**: ${markdownText(words.extent)}`
    : `${code(lead.check.id)} (${lead.check.severity}): ${markdownText(abbreviateIds(explainVerdict(lead)))}`
}

function pageFoot({ sections }: ReportModel, { results }: RunResult): readonly string[] {
  return [
    ...sections.filter(({ kind }) => kind !== 'known').flatMap(sectionLines),
    '',
    '<details><summary>All checks</summary>',
    '',
    '| Check | Severity | Verdict |',
    '| --- | --- | --- |',
    ...results.map(checkRow),
    '',
    '</details>',
    '',
  ]
}

function paragraph(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [...lines, '']
}

const MAX_REASON_CHARACTERS = 400

function sectionLines({ title, items }: Section): readonly string[] {
  const lines = items.map(({ text, names }) => {
    const why = text === '' ? '' : `${markdownText(clip(text, MAX_REASON_CHARACTERS))}: `
    return `- ${why}${names.map(code).join(', ')}`
  })
  return ['', `### ${title}`, '', ...lines]
}

function checkRow(result: CheckResult): string {
  const { check, knownFailure } = result
  const { rank } = modelCheck(result, { repeat: () => '' })
  const note = knownFailure ? ' (known to fail)' : ''
  return `| ${code(check.id)} | ${rank} | ${verdictText(reportedVerdict(result))}${note} |`
}

/** Writes a failure. For other failures with the same cause, lists only the names. */
function failureBlock(group: FailureGroup, options: CheckReportOptions): string {
  const { words, lead } = group
  const { check } = lead
  const title = words
    ? `<strong>${htmlInMarkdown(words.title)}</strong> <em>${htmlInMarkdown(words.extent)}</em>`
    : `<strong>${htmlInMarkdown(check.id)}</strong>: ${htmlInMarkdown(titleOf(lead))} <em>${check.severity}</em>`
  return [
    `<details><summary>❌ ${title}</summary>`,
    '',
    ...(words ? [markdownText(words.advice), '', ...memberLines(group)] : []),
    ...checkLines(lead, options, words?.isRemedy),
    '</details>',
  ].join('\n')
}

function memberLines({ lead, others, unjudged }: FailureGroup): readonly string[] {
  const item = (name: string, members: readonly CheckResult[]) =>
    members.length === 0 ? [] : [`- **${name}**: ${members.map(({ check }) => code(check.id)).join(', ')}`]
  return [
    ...item('Failed for the same cause', others),
    ...item('No verdict until this is fixed', unjudged),
    '',
    `${code(lead.check.id)}: ${markdownText(titleOf(lead))}`,
    '',
  ]
}

function checkLines(result: CheckResult, options: CheckReportOptions, isExample?: boolean) {
  const { facts, command } = modelCheck(result, options, isExample)
  const evidence = evidenceLines(result, PLAIN_SCREEN).join('\n').trimEnd()
  return [
    ...facts.flatMap(({ name, lines }) => lines.map((line) => `- **${name}**: ${markdownText(line)}`)),
    '',
    ...(evidence === '' ? [] : [...markdownBlock(evidence, 'text'), '']),
    'Repeat only this:',
    '',
    ...markdownBlock(toPrintable(command), 'sh'),
    '',
    `More about this check: ${checkUrl(result.check.id)}`,
    '',
  ]
}
