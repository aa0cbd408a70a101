import { requiredLevel } from '../check.ts'
import { reportedVerdict, type CheckResult, type ReportedVerdict } from '../run/run-result.ts'
import { findRepeat, repeatCommand } from './case-repeat.ts'
import { PLAIN_SCREEN, wrapText, type Screen, type Style } from './columns.ts'
import { evidenceLines, LABEL } from './exchange-text.ts'
import { clip } from './markup.ts'
import {
  checkUrl,
  listSettings,
  explainVerdict,
  formatMs,
  LEVELS,
  quoteSource,
  VERDICTS,
  type CheckReportOptions,
} from './report.ts'
import { toPrintable } from '../../sandbox/internal.ts'

const MARKS: { readonly [Each in ReportedVerdict]: readonly [mark: string, style: Style] } = {
  passed: ['✓', 'green'],
  'partly-observed': ['◐', 'yellow'],
  failed: ['✗', 'red'],
  inconclusive: ['?', 'yellow'],
  'not-observable': ['·', 'dim'],
  skipped: ['–', 'dim'],
}

/** One line for a check that has ended. */
export function resultLine(result: CheckResult, { paint, width }: Screen = PLAIN_SCREEN): string {
  const { check, verdict, knownFailure } = result
  const [mark, style] = MARKS[reportedVerdict(result)]
  const name = check.id.padEnd(40)
  const notes = [
    check.severity.padEnd(6),
    describeOutcome(result),
    ...(knownFailure ? [verdict === 'passed' ? 'known to fail, but passes' : 'known to fail'] : []),
  ]
  const shown = verdict === 'failed' && !knownFailure ? paint('bold', name) : name
  const room = width - 5 - name.length
  return `  ${paint(style, mark)} ${shown} ${paint('dim', clip(toPrintable(notes.join('  ')), room))}`
}

/** How long it took; or the verdict, and why, where not everything was found out. */
function describeOutcome(result: CheckResult): string {
  const { verdict, tookMs, missing, finding } = result
  const detail = finding?.kind === 'passed' && finding.detail !== undefined ? `  ${finding.detail}` : ''
  const reported = reportedVerdict(result)
  if (reported === 'partly-observed') return `${VERDICTS[reported]}: ${explainVerdict(result)}${detail}`
  if (verdict === 'passed' || verdict === 'failed') return `${formatMs(tookMs)}${detail}`
  const needs = missing.length === 0 ? undefined : `needs ${listSettings(missing)}`
  if (verdict === 'not-observable' && needs !== undefined) return needs
  return `${VERDICTS[verdict]}: ${needs ?? explainVerdict(result)}`
}

export interface CheckTextOptions extends CheckReportOptions {
  /** It is shown as an example of something that has a meaning and a remedy of its own. */
  readonly isExample?: boolean
  readonly screen?: Screen
}

/** Everything that it takes to understand one check's failure, and to repeat it. */
export function checkText(result: CheckResult, options: CheckTextOptions): string {
  const { screen = PLAIN_SCREEN, isExample = false } = options
  const { check, finding } = result
  const { paint, width } = screen
  const [mark, style] = MARKS[reportedVerdict(result)]
  const severity = `${check.severity.toUpperCase()} · ${LEVELS[requiredLevel(check)]}`
  const gap = ' '.repeat(Math.max(2, width - 2 - check.id.length - severity.length))
  const row = (label: string, text: string) => labelRow(label, text, screen)
  const expected = finding?.kind === 'failed' ? row('Expected', finding.expected) : []
  const actual = row(finding?.kind === 'failed' ? 'Actual' : 'Why', explainVerdict(result))
  return [
    `${paint(style, mark)} ${paint('bold', check.id)}${gap}${paint('dim', severity)}`,
    ...wrapText(check.requirement, 2, width),
    '',
    ...expected,
    ...(finding?.kind === 'failed' ? actual.map((line) => paint('red', line)) : actual),
    ...storyOf(result).flatMap((line, index) => row(index === 0 ? 'Story' : '', line)),
    ...(isExample ? [] : row('Meaning', check.meaning)),
    ...(isExample ? [] : row('Fix', check.remedy).map((line) => paint('green', line))),
    '',
    ...evidenceLines(result, screen),
    ...documentLines(result).flatMap((line, index) => row(index === 0 ? 'Document' : '', line)),
    ...(check.readings?.length ? row('Reading', check.readings.join(', ')) : []),
    `  ${paint('dim', 'Repeat'.padEnd(LABEL))}${paint('cyan', toPrintable(repeatCommand(result, options)))}`,
    ...testLines(result, options).map(
      (line, index) => `  ${paint('dim', (index === 0 ? 'Test' : '').padEnd(LABEL))}${line}`,
    ),
    `  ${paint('dim', 'More'.padEnd(LABEL))}${checkUrl(check.id)}`,
    `  ${' '.repeat(LABEL)}offline: npx hookbench check --explain ${check.id}`,
  ].join('\n')
}

/** What a person reads of the case that a check has found. */
export function storyOf({ finding }: Pick<CheckResult, 'finding'>): readonly string[] {
  return (finding?.kind === 'failed' && finding.counterexample?.story) || []
}

function testLines(result: CheckResult, options: CheckTextOptions): readonly string[] {
  return findRepeat(result, options)?.test.trimEnd().split('\n') ?? []
}

/** More of the document's lines would push the rest out of sight. */
const MOST_LINES = 3

function documentLines(result: CheckResult): readonly string[] {
  const lines = quoteSource(result)
  const more = lines.length - MOST_LINES
  return more <= 0 ? lines : [...lines.slice(0, MOST_LINES), `… and ${more} more`]
}

function labelRow(label: string, text: string, { paint, width }: Screen): readonly string[] {
  const [first = '', ...rest] = wrapText(text, LABEL + 2, width)
  return [`  ${paint('dim', label.padEnd(LABEL))}${first.trimStart()}`, ...rest]
}
