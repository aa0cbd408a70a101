import type { CheckResult, RunResult } from '../run/run-result.ts'
import { hasOwnRemedy } from './causes.ts'
import { describeCause, describeExtent, describeUnjudged } from './cause-text.ts'
import { checkText } from './check-text.ts'
import { closingLines, idLines } from './closing-text.ts'
import { PLAIN_SCREEN, wrapText, type Screen } from './columns.ts'
import { groupFailures, groupUnjudged, type FailureGroup } from './failure-groups.ts'
import { abbreviateIds, clip } from './markup.ts'
import { explainVerdict, fixedFailures, knownFailures, type ReportOptions } from './report.ts'
import { groupSeenInPart, groupUnobserved, NOT_OBSERVED, SEEN_IN_PART } from './unobserved.ts'
import { toPrintable } from '../../sandbox/internal.ts'

interface TextOptions extends ReportOptions {
  readonly screen?: Screen
}

/** The end of a run in a terminal: each failure with its meaning and remedy, what was not observed, and what it comes to. */
export function summaryText(result: RunResult, { screen = PLAIN_SCREEN, ...options }: TextOptions): string {
  const groups = groupFailures(result)
  const isReached = result.unreached === null
  return [
    ...groups.flatMap((group) => ['', ruler(screen), '', ...groupLines(group, options, screen)]),
    ...(groups.length > 0 ? ['', ruler(screen)] : []),
    ...fixedLines(fixedFailures(result), screen),
    ...(isReached
      ? section(screen.paint('yellow', 'Inconclusive'), unjudgedLines(result, options, screen))
      : []),
    ...section(
      'Known failures',
      knownFailures(result).map(({ check }) => `  ${screen.paint('red', '✗')} ${check.id}`),
    ),
    ...section(SEEN_IN_PART, partlySeenLines(result, screen)),
    ...(isReached ? section(NOT_OBSERVED, unobservedLines(result, screen)) : []),
    ...section('Skipped', skippedLines(result, screen)),
    '',
    ...closingLines(result, options, screen),
  ].join('\n')
}

/** What failed for one cause: the cause, all about the check to look at first, and a line for each of the others. */
function groupLines(group: FailureGroup, options: ReportOptions, screen: Screen): readonly string[] {
  const { cause, lead, others, unjudged } = group
  const { paint, width } = screen
  if (cause === undefined) return [checkText(lead, { ...options, screen })]
  const { title, advice } = describeCause(cause)
  return [
    ...wrapText(title, 0, width).map((line) => paint(['bold', 'red'], line)),
    ...wrapText(`${describeExtent(group)}.`, 2, width),
    ...wrapText(advice, 2, width).map((line) => paint('green', line)),
    '',
    checkText(lead, { ...options, screen, isExample: hasOwnRemedy(cause) }),
    ...(others.length === 0 ? [] : ['', '  By the same cause']),
    ...others.map((one) => otherLine(one, screen)),
    ...others.slice(0, 1).map(({ check }) => repeatLine(options.repeat(check.id), screen)),
    ...(unjudged.length === 0 ? [] : ['', '  Not to be judged before it is mended']),
    ...idLines(unjudged, 4, screen).filter(() => unjudged.length > 0),
  ]
}

function repeatLine(command: string, { paint }: Screen): string {
  return `    ${paint('dim', 'all about one of them:')} ${paint('cyan', toPrintable(command))}`
}

/** In less, the reason says nothing. */
const LEAST_ROOM = 40

function otherLine(result: CheckResult, { paint, width }: Screen): string {
  const { check } = result
  const name = check.id.padEnd(40)
  const room = width - 15 - name.length
  const text = room < LEAST_ROOM ? '' : clip(toPrintable(abbreviateIds(explainVerdict(result))), room)
  return `  ${paint('red', '✗')} ${name} ${check.severity.padEnd(7)}${paint('dim', text)}`.trimEnd()
}

function ruler({ paint, width }: Screen): string {
  return paint('dim', '─'.repeat(width))
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines]
}

function fixedLines(fixed: readonly CheckResult[], { paint }: Screen): readonly string[] {
  return section(
    paint('red', 'Known to fail, but passes: take it out of knownFailures'),
    fixed.map(({ check }) => `  ${paint('green', '✓')} ${check.id}`),
  )
}

/** What one cause keeps from being judged stands together, and so does what has the same reason. */
function unjudgedLines(result: RunResult, { repeat }: ReportOptions, screen: Screen): readonly string[] {
  const { paint, width } = screen
  const groups = Map.groupBy(groupUnjudged(result), describeUnjudged)
  return [...groups].flatMap(([why, members]) => {
    const results = members.flatMap(({ lead, unjudged }) => [lead, ...unjudged])
    const [first] = results
    const again =
      first && results.length === 1 ? [`    ${paint('cyan', toPrintable(repeat(first.check.id)))}`] : []
    const [line = '', ...rest] = idLines(results, 4, screen)
    return [`  ${paint('yellow', '?')} ${line.trimStart()}`, ...rest, ...wrapText(why, 4, width), ...again]
  })
}

function partlySeenLines(result: RunResult, { width }: Screen): readonly string[] {
  return groupSeenInPart(result).flatMap(({ text, results }) =>
    hanging(`${results.map(({ check }) => check.id).join(', ')}: ${text}`, width),
  )
}

function hanging(text: string, width: number): readonly string[] {
  const [first = '', ...rest] = wrapText(text, 4, width)
  return [`  ${first.trimStart()}`, ...rest]
}

function unobservedLines(result: RunResult, screen: Screen): readonly string[] {
  return groupUnobserved(result).flatMap(({ text, names }) => {
    const [first = '', ...rest] = wrapText(text, 4, screen.width)
    return [
      `  · ${first.trimStart()}`,
      ...rest,
      ...wrapText(names.join(', '), 6, screen.width).map((line) => screen.paint('dim', line)),
    ]
  })
}

function skippedLines({ results }: RunResult, { width }: Screen): readonly string[] {
  const groups = Map.groupBy(
    results.filter(({ verdict }) => verdict === 'skipped'),
    explainVerdict,
  )
  return [...groups].flatMap(([why, members]) =>
    hanging(`${members.map(({ check }) => check.id).join(', ')}: ${why}`, width),
  )
}
