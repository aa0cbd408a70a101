import { levelOf } from '../check.ts'
import { summaryOf, type CheckResult, type RunResult, type Verdict } from '../run/run-result.ts'
import { WIDTH, folded, type Paint, type Style } from './columns.ts'
import { evidenceLines, LABEL } from './exchange-text.ts'
import {
  graveOf,
  headlineOf,
  LEVELS,
  mendedOf,
  sourceOf,
  took,
  VERDICTS,
  whyOf,
  type ReportOptions,
} from './report.ts'
import { unobservedOf } from './unobserved.ts'
import { printable } from '../../sandbox/internal.ts'

export interface TextOptions extends ReportOptions {
  readonly paint?: Paint
}

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
    verdict === 'passed' || verdict === 'failed' ? took(tookMs) : VERDICTS[verdict],
    ...(knownFailure ? [verdict === 'passed' ? 'known to fail, but passes' : 'known to fail'] : []),
  ]
  const shown = verdict === 'failed' && !knownFailure ? paint('bold', name) : name
  return `  ${paint(style, mark)} ${shown} ${paint('dim', notes.join('  '))}`
}

/** What a person reads at the end: what failed, what it means, and what to do, then what was not seen, then the count. */
export function summaryText(result: RunResult, { repeat, paint = plain }: TextOptions): string {
  const grave = graveOf(result)
  const known = result.results.filter(({ verdict, knownFailure }) => verdict === 'failed' && knownFailure)
  return [
    ...grave.flatMap((failed) => ['', ruler(paint), '', checkText(failed, { repeat, paint })]),
    ...(grave.length > 0 ? ['', ruler(paint)] : []),
    ...mendedLines(mendedOf(result), paint),
    ...section(paint('yellow', 'Inconclusive'), inconclusiveLines(result, { repeat, paint })),
    ...section(
      'Known failures',
      known.map(({ check }) => `  ${paint('red', '✗')} ${check.id}`),
    ),
    ...section('Passed, but not seen whole', unseenLines(result)),
    ...section('Not observed', unobservedLines(result, paint)),
    '',
    ...countLines(result, paint),
  ].join('\n')
}

/** Everything that it takes to understand one check's failure, and to repeat it. */
export function checkText(result: CheckResult, { repeat, paint = plain }: TextOptions): string {
  const { check, verdict, finding } = result
  const [mark, style] = MARKS[verdict]
  const severity = `${check.severity.toUpperCase()} · ${LEVELS[levelOf(check)]}`
  const gap = ' '.repeat(Math.max(2, WIDTH - 2 - check.id.length - severity.length))
  const row = (label: string, text: string) => labelled(paint('dim', label.padEnd(LABEL)), text)
  const expected = finding?.kind === 'failed' ? row('Expected', finding.expected) : []
  const actual = row(finding?.kind === 'failed' ? 'Actual' : 'Why', whyOf(result))
  return [
    `${paint(style, mark)} ${paint('bold', check.id)}${gap}${paint('dim', severity)}`,
    ...folded(check.requirement, 2),
    '',
    ...expected,
    ...(finding?.kind === 'failed' ? actual.map((line) => paint('red', line)) : actual),
    ...row('Meaning', check.meaning),
    '',
    ...evidenceLines(result, paint),
    ...sourceOf(result).flatMap((line, index) => row(index === 0 ? 'Document' : '', line)),
    ...(check.readings?.length ? row('Reading', check.readings.join(', ')) : []),
    '',
    ...row('Fix', check.remedy).map((line) => paint('green', line)),
    `  ${paint('dim', 'Repeat'.padEnd(LABEL))}${paint('cyan', printable(repeat(check.id)))}`,
  ].join('\n')
}

function labelled(label: string, text: string): readonly string[] {
  const [first = '', ...rest] = folded(text, LABEL + 2)
  return [`  ${label}${first.trimStart()}`, ...rest]
}

function ruler(paint: Paint): string {
  return paint('dim', '─'.repeat(WIDTH))
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines]
}

function mendedLines(mended: readonly CheckResult[], paint: Paint): readonly string[] {
  return section(
    paint('red', 'Known to fail, but passes: take it out of knownFailures'),
    mended.map(({ check }) => `  ${paint('green', '✓')} ${check.id}`),
  )
}

/** Whoever cannot be reached fails every check for one reason: it is said once. */
function inconclusiveLines(
  { results }: RunResult,
  { repeat, paint = plain }: TextOptions,
): readonly string[] {
  const all = results.filter(({ verdict }) => verdict === 'inconclusive')
  return [...Map.groupBy(all, whyOf)].flatMap(([why, members]) => {
    const ids = members.map(({ check }) => check.id)
    const [first = ''] = ids
    const again = ids.length === 1 ? [`    ${paint('cyan', printable(repeat(first)))}`] : []
    const [line = '', ...rest] = folded(ids.join(', '), 4)
    return [`  ${paint('yellow', '?')} ${line.trimStart()}`, ...rest, ...folded(why, 4), ...again]
  })
}

function unseenLines({ results }: RunResult): readonly string[] {
  return results
    .filter(({ verdict, finding }) => verdict === 'passed' && finding?.kind === 'passed' && finding.unseen)
    .flatMap((result) => folded(`${result.check.id}: ${whyOf(result)}`, 2))
}

function unobservedLines(result: RunResult, paint: Paint): readonly string[] {
  return unobservedOf(result).flatMap(({ text, results }) => {
    const [first = '', ...rest] = folded(text, 4)
    const ids = folded(results.map(({ check }) => check.id).join(', '), 6)
    return [`  · ${first.trimStart()}`, ...rest, ...ids.map((line) => paint('dim', line))]
  })
}

function countLines(result: RunResult, paint: Paint): readonly string[] {
  const summary = summaryOf(result)
  const failed = graveOf(result).length
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
  const run = `seed ${result.seed} · observed up to level ${result.level} (${LEVELS[result.level]}) · ${took(result.tookMs)}`
  return [
    paint(failed > 0 ? ['bold', 'red'] : 'bold', headlineOf(result)),
    ...graveOf(result).map(({ check }) => `  ${paint('red', '✗')} ${check.id.padEnd(44)} ${check.severity}`),
    counts.join(' · '),
    paint('dim', run),
  ]
}
