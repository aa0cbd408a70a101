import { requiredLevel } from '../check.ts'
import { countVerdicts, reportedVerdict, type CheckResult, type RunResult } from '../run/run-result.ts'
import { describeUnjudged } from './cause-text.ts'
import { groupUnjudged } from './failure-groups.ts'
import { headlineOf, TONES } from './headline.ts'
import { failureBlocks, failureIndex } from './markdown-failures.ts'
import { code, markdownText } from './markdown-text.ts'
import { clip, lowerFirst } from './markup.ts'
import {
  describeEffectDelay,
  explainVerdict,
  fixedFailures,
  formatMs,
  formatWorld,
  LEVELS,
  VERDICTS,
  type ReportOptions,
} from './report.ts'
import {
  describeUnseenMusts,
  groupSeenInPart,
  groupUnobserved,
  NOT_OBSERVED,
  SEEN_IN_PART,
  type UnobservedGroup,
} from './unobserved.ts'

/** GitHub refuses a comment of 65,536 characters. */
const MOST_CHARACTERS = 60_000

/** A summary, and what there was no room for. */
export interface MarkdownPages {
  readonly text: string
  /** Undefined where everything is in the text. */
  readonly rest: string | undefined
}

/** What a pull request shows, in GitHub's Markdown. What is too long is left for another page, which goes by the name `rest`. */
export function markdownPages(
  result: RunResult,
  options: ReportOptions,
  rest: string | undefined,
): MarkdownPages {
  const blocks = failureBlocks(result, options)
  const size = (parts: readonly string[]) => parts.join('\n').length
  const page = (shown: readonly string[], left: readonly string[]) =>
    [
      ...pageHead(result, options),
      ...blockLines(shown),
      ...leftLines(left.length, rest),
      ...pageFoot(result),
    ].join('\n')
  const room = MOST_CHARACTERS - size([page([], blocks)])
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
  const where = rest === undefined ? 'in the page that `--html` writes' : `in ${code(rest)}, beside this file`
  return ['', `All about the last ${count} of the list is ${where}.`]
}

function pageHead(result: RunResult, options: ReportOptions): readonly string[] {
  const { sentence, details, tone } = headlineOf(result, options.demands)
  const { receiver, seed, level, tookMs } = result
  const delay = describeEffectDelay(result)
  return [
    `## ${TONES[tone].emoji} Webhook receiver: ${lowerFirst(sentence)}`,
    '',
    ...details.flatMap((text) => [markdownText(text), '']),
    ...paragraph(failureIndex(result)),
    ...paragraph(unseenLines(result)),
    countsTable(result),
    '',
    `Receiver ${code(receiver)}, seed ${seed}, observed up to level ${level} (${LEVELS[level]}), ${formatMs(tookMs)}${formatWorld(result, ', ')}${delay === undefined ? '' : `; ${delay}`}`,
  ]
}

function pageFoot(result: RunResult): readonly string[] {
  const isReached = result.unreached === null
  return [
    ...section(
      '### Known to fail, but passes: take it out of `knownFailures`',
      fixedFailures(result).map(({ check }) => `- ${code(check.id)}`),
    ),
    ...section('### Inconclusive', isReached ? unjudgedItems(result) : []),
    ...section(`### ${NOT_OBSERVED}`, isReached ? groupUnobserved(result).map(unobservedItem) : []),
    ...section(`### ${SEEN_IN_PART}`, groupSeenInPart(result).map(unobservedItem)),
    '',
    '<details><summary>All checks</summary>',
    '',
    '| Check | Severity | Verdict |',
    '| --- | --- | --- |',
    ...result.results.map(checkRow),
    '',
    '</details>',
    '',
  ]
}

function paragraph(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [...lines, '']
}

function unseenLines(result: RunResult): readonly string[] {
  const unseen = result.unreached === null ? describeUnseenMusts(result) : undefined
  if (!unseen) return []
  return [`**${markdownText(unseen.title)}**`, '', ...unseen.lines.map((line) => `- ${markdownText(line)}`)]
}

function countsTable(result: RunResult): string {
  const counts = countVerdicts(result)
  const { passed, failed, inconclusive, skipped } = counts
  return [
    '| Passed | Partly observed | Failed | Inconclusive | Not observable | Skipped |',
    '| ---: | ---: | ---: | ---: | ---: | ---: |',
    `| ${passed} | ${counts['partly-observed']} | ${failed} | ${inconclusive} | ${counts['not-observable']} | ${skipped} |`,
  ].join('\n')
}

/** A reason may quote what a receiver answered. */
const MOST_OF_A_REASON = 400

function unjudgedItems(result: RunResult): readonly string[] {
  const groups = Map.groupBy(groupUnjudged(result), describeUnjudged)
  return [...groups].map(([why, members]) => {
    const results = members.flatMap(({ lead, unjudged }) => [lead, ...unjudged])
    return namedItem(
      results.map(({ check }) => check.id),
      why,
    )
  })
}

function unobservedItem({ text, names }: UnobservedGroup): string {
  return namedItem(names, text)
}

function namedItem(names: readonly string[], why: string): string {
  return `- ${markdownText(clip(why, MOST_OF_A_REASON))}: ${names.map(code).join(', ')}`
}

function checkRow(result: CheckResult): string {
  const { check, verdict, knownFailure } = result
  const reported = reportedVerdict(result)
  const note = knownFailure ? ' (known to fail)' : ''
  const why = verdict === 'skipped' ? `: ${markdownText(explainVerdict(result))}` : ''
  return `| ${code(check.id)} | ${check.severity}, ${LEVELS[requiredLevel(check)]} | ${VERDICTS[reported]}${note}${why} |`
}

function section(heading: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ['', heading, '', ...items]
}
