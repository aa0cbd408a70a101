import { requiredLevel } from '../check.ts'
import { countVerdicts, type CheckResult, type RunResult, type Verdict } from '../run/run-result.ts'
import { WIDTH, wrapText, type Paint, type Style } from './columns.ts'
import { evidenceLines, LABEL } from './exchange-text.ts'
import { headlineOf, TONES, type Headline } from './headline.ts'
import {
  newFailures,
  LEVELS,
  fixedFailures,
  knownFailures,
  quoteSource,
  formatMs,
  VERDICTS,
  explainVerdict,
  type CheckReportOptions,
  type ReportOptions,
} from './report.ts'
import { formatSeconds } from '../toolkit/expectations.ts'
import { groupUnobserved } from './unobserved.ts'
import { toPrintable } from '../../sandbox/internal.ts'

interface Painted {
  readonly paint?: Paint
}

type TextOptions = ReportOptions & Painted
type CheckTextOptions = CheckReportOptions & Painted

const plain: Paint = (_, text) => text

const MARKS: { readonly [Each in Verdict]: readonly [mark: string, style: Style] } = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  inconclusive: ['?', 'yellow'],
  'not-observable': ['·', 'dim'],
  skipped: ['–', 'dim'],
}

/** One line for a check that has ended. */
export function resultLine(result: CheckResult, paint: Paint = plain): string {
  const { check, verdict, tookMs, knownFailure } = result
  const [mark, style] = MARKS[verdict]
  const name = check.id.padEnd(44)
  const notes = [
    check.severity.padEnd(6),
    verdict === 'passed' || verdict === 'failed' ? formatMs(tookMs) : VERDICTS[verdict],
    ...(knownFailure ? [verdict === 'passed' ? 'known to fail, but passes' : 'known to fail'] : []),
  ]
  const shown = verdict === 'failed' && !knownFailure ? paint('bold', name) : name
  return `  ${paint(style, mark)} ${shown} ${paint('dim', notes.join('  '))}`
}

/** The end of a run in a terminal: each failure with its meaning and remedy, what was not observed, and the counts. */
export function summaryText(result: RunResult, { repeat, demands, paint = plain }: TextOptions): string {
  const failures = newFailures(result)
  return [
    ...failures.flatMap((failed) => ['', ruler(paint), '', checkText(failed, { repeat, paint })]),
    ...(failures.length > 0 ? ['', ruler(paint)] : []),
    ...fixedLines(fixedFailures(result), paint),
    ...section(paint('yellow', 'Inconclusive'), inconclusiveLines(result, { repeat, paint })),
    ...section(
      'Known failures',
      knownFailures(result).map(({ check }) => `  ${paint('red', '✗')} ${check.id}`),
    ),
    ...section('Passed, but not seen whole', unseenLines(result)),
    ...section('Not observed', unobservedLines(result, paint)),
    '',
    ...headlineLines(headlineOf(result, demands), paint),
    ...countLines(result, paint),
  ].join('\n')
}

/** Everything that it takes to understand one check's failure, and to repeat it. */
export function checkText(result: CheckResult, { repeat, paint = plain }: CheckTextOptions): string {
  const { check, verdict, finding } = result
  const [mark, style] = MARKS[verdict]
  const severity = `${check.severity.toUpperCase()} · ${LEVELS[requiredLevel(check)]}`
  const gap = ' '.repeat(Math.max(2, WIDTH - 2 - check.id.length - severity.length))
  const row = (label: string, text: string) => labelRow(paint('dim', label.padEnd(LABEL)), text)
  const expected = finding?.kind === 'failed' ? row('Expected', finding.expected) : []
  const actual = row(finding?.kind === 'failed' ? 'Actual' : 'Why', explainVerdict(result))
  return [
    `${paint(style, mark)} ${paint('bold', check.id)}${gap}${paint('dim', severity)}`,
    ...wrapText(check.requirement, 2),
    '',
    ...expected,
    ...(finding?.kind === 'failed' ? actual.map((line) => paint('red', line)) : actual),
    ...row('Meaning', check.meaning),
    '',
    ...evidenceLines(result, paint),
    ...quoteSource(result).flatMap((line, index) => row(index === 0 ? 'Document' : '', line)),
    ...(check.readings?.length ? row('Reading', check.readings.join(', ')) : []),
    '',
    ...row('Fix', check.remedy).map((line) => paint('green', line)),
    `  ${paint('dim', 'Repeat'.padEnd(LABEL))}${paint('cyan', toPrintable(repeat(check.id)))}`,
  ].join('\n')
}

function labelRow(label: string, text: string): readonly string[] {
  const [first = '', ...rest] = wrapText(text, LABEL + 2)
  return [`  ${label}${first.trimStart()}`, ...rest]
}

function ruler(paint: Paint): string {
  return paint('dim', '─'.repeat(WIDTH))
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines]
}

function fixedLines(fixed: readonly CheckResult[], paint: Paint): readonly string[] {
  return section(
    paint('red', 'Known to fail, but passes: take it out of knownFailures'),
    fixed.map(({ check }) => `  ${paint('green', '✓')} ${check.id}`),
  )
}

/** Checks with the same reason stand together: a receiver that cannot be reached has one for all of them. */
function inconclusiveLines(
  { results }: RunResult,
  { repeat, paint = plain }: CheckTextOptions,
): readonly string[] {
  const all = results.filter(({ verdict }) => verdict === 'inconclusive')
  return [...Map.groupBy(all, explainVerdict)].flatMap(([why, members]) => {
    const ids = members.map(({ check }) => check.id)
    const [first = ''] = ids
    const again = ids.length === 1 ? [`    ${paint('cyan', toPrintable(repeat(first)))}`] : []
    const [line = '', ...rest] = wrapText(ids.join(', '), 4)
    return [`  ${paint('yellow', '?')} ${line.trimStart()}`, ...rest, ...wrapText(why, 4), ...again]
  })
}

function unseenLines({ results }: RunResult): readonly string[] {
  return results
    .filter(
      ({ verdict, finding }) => verdict === 'passed' && finding?.kind === 'passed' && finding.unobserved,
    )
    .flatMap((result) => wrapText(`${result.check.id}: ${explainVerdict(result)}`, 2))
}

function unobservedLines(result: RunResult, paint: Paint): readonly string[] {
  return groupUnobserved(result).flatMap(({ text, names }) => {
    const [first = '', ...rest] = wrapText(text, 4)
    const ids = wrapText(names.join(', '), 6)
    return [`  · ${first.trimStart()}`, ...rest, ...ids.map((line) => paint('dim', line))]
  })
}

function headlineLines({ sentence, details, tone }: Headline, paint: Paint): readonly string[] {
  const { mark, style } = TONES[tone]
  return [paint(style, `${mark} ${sentence}`), ...details.flatMap((text) => wrapText(text, 2))]
}

function countLines(result: RunResult, paint: Paint): readonly string[] {
  const summary = countVerdicts(result)
  const failed = newFailures(result).length
  const knowns = summary.failed - failed
  const counts = [
    paint('green', `${summary.passed} passed`),
    paint(
      failed > 0 ? 'red' : 'dim',
      `${summary.failed} failed${knowns === 0 ? '' : ` (${knowns} of them known)`}`,
    ),
    paint(summary.inconclusive > 0 ? 'yellow' : 'dim', `${summary.inconclusive} inconclusive`),
    paint('dim', `${summary['not-observable']} not observable`),
    paint('dim', `${summary.skipped} skipped`),
  ]
  const run = `seed ${result.seed} · observed up to level ${result.level} (${LEVELS[result.level]}) · ${formatMs(result.tookMs)}`
  return [
    ...newFailures(result).map(
      ({ check }) => `  ${paint('red', '✗')} ${check.id.padEnd(44)} ${check.severity}`,
    ),
    counts.join(' · '),
    paint('dim', run),
    ...delayLines(result).map((line) => paint('dim', line)),
  ]
}

/** An effect that comes later than this is told of: what waits for effects takes as long. */
const LATE_MS = 1_000

function delayLines({ effectDelay }: RunResult): readonly string[] {
  const { latestMs = null, waitedMs = 0 } = effectDelay ?? {}
  if (latestMs === null || latestMs < LATE_MS) return []
  const [latest, waited] = [latestMs, waitedMs].map(formatSeconds)
  return [`effects came after up to ${latest} · waited up to ${waited} for one`]
}
