import { reportedVerdict, type CheckResult, type ReportedVerdict } from '../run/run-result.ts'
import { clip, LABEL, labelRow, PLAIN_SCREEN, wrapText, type Screen, type Style } from './columns.ts'
import { evidenceLines } from './exchange-text.ts'
import { modelCheck, type Fact } from './model.ts'
import {
  checkUrl,
  explainVerdict,
  formatMs,
  listSettings,
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

/** Writes one line for a finished check. */
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

/** Returns the duration. Otherwise returns the verdict and its reason. */
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
  /** True if the cause already has the meaning and the remedy. */
  readonly isExample?: boolean
  readonly screen?: Screen
}

export function checkText(result: CheckResult, options: CheckTextOptions): string {
  const { screen = PLAIN_SCREEN, isExample = false } = options
  const { check } = result
  const { paint, width } = screen
  const [mark, style] = MARKS[reportedVerdict(result)]
  const { rank, facts, command, test } = modelCheck(result, options, isExample)
  const severity = rank.replace(check.severity, check.severity.toUpperCase())
  const gap = ' '.repeat(Math.max(2, width - 2 - check.id.length - severity.length))
  const isSource = ({ name }: Fact) => name === 'Document' || name === 'Reading'
  return [
    `${paint(style, mark)} ${paint('bold', check.id)}${gap}${paint('dim', severity)}`,
    ...wrapText(check.requirement, 2, width),
    '',
    ...facts.filter((fact) => !isSource(fact)).flatMap((fact) => factLines(fact, screen)),
    '',
    ...evidenceLines(result, screen),
    ...facts.filter(isSource).flatMap((fact) => factLines(fact, screen)),
    `  ${paint('dim', 'Repeat'.padEnd(LABEL))}${paint('cyan', toPrintable(command))}`,
    ...(test?.trimEnd().split('\n') ?? []).map(
      (line, index) => `  ${paint('dim', (index === 0 ? 'Test' : '').padEnd(LABEL))}${line}`,
    ),
    `  ${paint('dim', 'More'.padEnd(LABEL))}${checkUrl(check.id)}`,
    `  ${' '.repeat(LABEL)}offline: npx hookbench check --explain ${check.id}`,
  ].join('\n')
}

const COLORS: { readonly [Name in Fact['name']]?: Style } = { Actual: 'red', Fix: 'green' }

const MOST_LINES = 3

function factLines({ name, lines }: Fact, screen: Screen): readonly string[] {
  const color = COLORS[name]
  const more = name === 'Document' ? lines.length - MOST_LINES : 0
  const shown = more > 0 ? [...lines.slice(0, MOST_LINES), `… and ${more} more`] : lines
  const rows = shown.flatMap((line, index) => labelRow(index === 0 ? name : '', line, screen))
  return color === undefined ? rows : rows.map((row) => screen.paint(color, row))
}
