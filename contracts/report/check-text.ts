import { reportedVerdict, type CheckResult, type ReportedVerdict } from '../run/run-result.ts'
import {
  clip,
  LABEL,
  labelRow,
  PLAIN_SCREEN,
  wrapText,
  abbreviateIds,
  chopText,
  truncate,
  type Screen,
  type Style,
} from './columns.ts'
import { modelCheck, type Fact } from './model.ts'
import {
  checkUrl,
  explainVerdict,
  formatMs,
  listSettings,
  verdictText,
  formatFlags,
  type CheckReportOptions,
} from './report.ts'
import { toPrintable } from '../../sandbox/internal.ts'
import { describeEntry, OUTCOME_WIDTH, toTimeline, type TimelineEntry } from './events.ts'
import {
  effectsAround,
  evidenceOf,
  excerptBody,
  FULL_REPORT,
  selectExcerpt,
  type Excerpt,
} from './excerpt.ts'
import { describeEffects } from '../toolkit/expectations.ts'

const MARKS: { readonly [Each in ReportedVerdict]: readonly [mark: string, style: Style] } = {
  passed: ['✓', 'green'],
  'partly-observed': ['◐', 'yellow'],
  failed: ['✗', 'red'],
  inconclusive: ['?', 'yellow'],
  'not-observable': ['·', 'dim'],
  skipped: ['–', 'dim'],
}

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

function describeOutcome(result: CheckResult): string {
  const { verdict, tookMs, missing, finding } = result
  const detail = finding?.kind === 'passed' && finding.detail !== undefined ? `  ${finding.detail}` : ''
  const reported = reportedVerdict(result)
  if (reported === 'partly-observed') return `${verdictText(reported)}: ${explainVerdict(result)}${detail}`
  if (verdict === 'passed' || verdict === 'failed') return `${formatMs(tookMs)}${detail}`
  const needs = missing.length === 0 ? undefined : `needs ${listSettings(missing)}`
  if (verdict === 'not-observable' && needs !== undefined) return needs
  return `${verdictText(verdict)}: ${needs ?? explainVerdict(result)}`
}

export interface CheckTextOptions extends CheckReportOptions {
  /** True if the check serves as the example of a cause. The text of the cause already contains the meaning and the remedy. */
  readonly isExample?: boolean
  readonly screen?: Screen
}

export function checkText(result: CheckResult, options: CheckTextOptions): string {
  const { screen = PLAIN_SCREEN, isExample = false } = options
  const { check } = result
  const { paint, width } = screen
  const [mark, style] = MARKS[reportedVerdict(result)]
  const { title, rank, facts, command, test } = modelCheck(result, options, isExample)
  const severity = rank.replace(check.severity, check.severity.toUpperCase())
  const gap = ' '.repeat(Math.max(2, width - 2 - check.id.length - severity.length))
  const isSource = ({ name }: Fact) => name === 'Document' || name === 'Reading'
  return [
    `${paint(style, mark)} ${paint('bold', check.id)}${gap}${paint('dim', severity)}`,
    ...wrapText(title, 2, width).map((line) => (check.requirement === title ? line : paint('red', line))),
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

const MAX_LINES = 3

function factLines({ name, lines }: Fact, screen: Screen): readonly string[] {
  const more = name === 'Document' ? lines.length - MAX_LINES : 0
  const shown = more > 0 ? [...lines.slice(0, MAX_LINES), `… and ${more} more`] : lines
  const rows = shown.flatMap((line, index) => labelRow(index === 0 ? name : '', line, screen))
  return name === 'Fix' ? rows.map((row) => screen.paint('green', row)) : rows
}

const MAX_EVENTS = 16
const MAX_HEADERS = 12

const MARGIN = LABEL + 2

export function evidenceLines(result: CheckResult, screen: Screen): readonly string[] {
  const excerpt = selectExcerpt(result, MAX_EVENTS)
  const { field } = evidenceOf(result.finding)
  const lines = [...exchangeLines(excerpt, field, screen), ...effectLines(excerpt, screen)]
  return [...eventLines(excerpt, screen), ...lines, ...(lines.length === 0 ? [] : [''])]
}

function eventLines({ events, isPart, hasEarlier }: Excerpt, screen: Screen): readonly string[] {
  if (events.length < 2) return []
  const more = (text: string) => screen.paint('dim', `             … ${text}`)
  return [
    '  What happened',
    ...(hasEarlier ? [more(`${FULL_REPORT} shows the earlier events`)] : []),
    ...toTimeline(events).map((entry) => formatEventLine(entry, screen)),
    ...(isPart && !hasEarlier ? [more(`${FULL_REPORT} shows the other events`)] : []),
    '',
  ]
}

export function formatEventLine(entry: TimelineEntry, { paint, width }: Screen): string {
  const at = paint('dim', `  ${formatMs(entry.atMs).padStart(9)}  `)
  const { mark, text, outcome, isBad } = describeEntry(entry)
  const clean = toPrintable(abbreviateIds(text))
  if (outcome === '') return `${at}${mark} ${clip(clean, width - 15)}`
  const room = width - 16 - OUTCOME_WIDTH
  const end = paint(isBad ? 'red' : 'dim', clip(toPrintable(outcome), OUTCOME_WIDTH))
  return `${at}${mark} ${clip(clean, room).padEnd(room)} ${end}`
}

function exchangeLines({ deciding }: Excerpt, field: string | undefined, screen: Screen): readonly string[] {
  if (!deciding) return []
  const { width } = screen
  const sent = deciding.exchange
  const { request, response } = sent
  const answer = response
    ? [
        ...wrapText(`${response.status} in ${formatMs(sent.tookMs)}${formatFlags(sent)}`, MARGIN, width),
        ...headerLines(
          response.headers.filter(([name]) => !COMMON.has(name.toLowerCase())),
          width,
        ),
        ...bodyLines(excerptBody(response.body), width),
      ]
    : wrapText(`none: ${sent.message}${formatFlags(sent)}`, MARGIN, width)
  const asked = [
    ...wrapText(`${request.method} ${request.url}`, MARGIN, width),
    ...headerLines(request.headers, width),
    ...bodyLines(excerptBody(request.body, field), width),
  ]
  return [...labelled('Request', asked, screen), ...labelled('Answer', answer, screen)]
}

function labelled(name: string, lines: readonly string[], { paint }: Screen): readonly string[] {
  return lines.map((line, index) =>
    index === 0 ? `  ${paint('dim', name.padEnd(LABEL))}${line.trimStart()}` : line,
  )
}

function effectLines(excerpt: Excerpt, screen: Screen): readonly string[] {
  const { before, after } = effectsAround(excerpt)
  if (!after) return []
  const { type, id } = after.target
  const lines = [
    `${type} ${id}`,
    ...(before ? [`before: ${describeEffects(before.seen)}`] : []),
    `after:  ${describeEffects(after.seen)}`,
  ]
  return labelled(
    'Effect',
    lines.flatMap((line) => wrapText(line, MARGIN, screen.width)),
    screen,
  )
}

const COMMON = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

function headerLines(headers: readonly (readonly [name: string, value: string])[], width: number) {
  const lines = headers
    .slice(0, MAX_HEADERS)
    .flatMap(([name, value]) => chopText(truncate(`${name}: ${value}`, 480), MARGIN, width))
  const more = headers.length - MAX_HEADERS
  return more > 0 ? [...lines, `${' '.repeat(MARGIN)}… ${more} more headers`] : lines
}

function bodyLines(body: string, width: number): readonly string[] {
  return body === '' ? [] : chopText(body, MARGIN, width)
}
