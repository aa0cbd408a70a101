import { toPrintable } from '../../sandbox/internal.ts'
import { describeEffectDelay, explainVerdict, newFailures, type ReportOptions } from './report.ts'
import type { CheckResult, RunResult } from '../run/run-result.ts'
import { checkText } from './check-text.ts'
import { abbreviateIds, clip, PLAIN_SCREEN, wrapText, type Screen, type Style } from './columns.ts'
import type { FailureGroup } from './failure-groups.ts'
import { TONES } from './headline.ts'
import { modelRun, type ReportModel } from './model.ts'
import type { Section, SectionItem } from './sections.ts'

export function summaryText(
  result: RunResult,
  { screen = PLAIN_SCREEN, ...options }: ReportOptions & { readonly screen?: Screen },
): string {
  const model = modelRun(result, options.demands)
  const { failures, sections } = model
  return [
    ...failures.flatMap((group) => ['', ruler(screen), '', ...groupLines(group, options, screen)]),
    ...(failures.length > 0 ? ['', ruler(screen)] : []),
    ...sections.flatMap((section) => sectionLines(section, options, screen)),
    '',
    ...closingLines(model, result, screen),
  ].join('\n')
}

function ruler({ paint, width }: Screen): string {
  return paint('dim', '─'.repeat(width))
}

function groupLines(group: FailureGroup, options: ReportOptions, screen: Screen): readonly string[] {
  const { words, lead, others, unjudged } = group
  const { paint, width } = screen
  if (words === undefined) return [checkText(lead, { ...options, screen })]
  return [
    ...wrapText(words.title, 0, width).map((line) => paint(['bold', 'red'], line)),
    ...wrapText(`${words.extent}.`, 2, width),
    ...wrapText(words.advice, 2, width).map((line) => paint('green', line)),
    '',
    checkText(lead, { ...options, screen, isExample: words.isRemedy }),
    ...(others.length === 0 ? [] : ['', '  Failed for the same cause']),
    ...others.map((one) => otherLine(one, screen)),
    ...others.slice(0, 1).map(({ check }) => {
      const command = options.repeat(check.id)
      return `    ${paint('dim', 'details of a check:')} ${paint('cyan', toPrintable(command))}`
    }),
    ...(unjudged.length === 0
      ? []
      : [
          '',
          '  No verdict until this is fixed',
          ...wrapText(unjudged.map(({ check }) => check.id).join(', '), 4, width),
        ]),
  ]
}

const MIN_ROOM = 40

function otherLine(result: CheckResult, { paint, width }: Screen): string {
  const { check } = result
  const name = check.id.padEnd(40)
  const room = width - 15 - name.length
  const text = room < MIN_ROOM ? '' : clip(toPrintable(abbreviateIds(explainVerdict(result))), room)
  return `  ${paint('red', '✗')} ${name} ${check.severity.padEnd(7)}${paint('dim', text)}`.trimEnd()
}

const SECTION_MARKS: { readonly [Kind in Section['kind']]: readonly [mark: string, style: Style] } = {
  fixed: ['✓', 'green'],
  inconclusive: ['?', 'yellow'],
  known: ['✗', 'red'],
  'partly-observed': ['◐', 'yellow'],
  'not-observed': ['·', 'dim'],
  skipped: ['–', 'dim'],
}

function sectionLines({ kind, title, items }: Section, { repeat }: ReportOptions, screen: Screen) {
  const [mark, style] = SECTION_MARKS[kind]
  const { paint, width } = screen
  const itemLines = ({ text, names }: SectionItem) => {
    if (text === '') return names.map((name) => `  ${paint(style, mark)} ${name}`)
    const [name = ''] = names
    const [first = '', ...rest] = wrapText(text, 4, width)
    return [
      `  ${paint(style, mark)} ${first.trimStart()}`,
      ...rest,
      ...wrapText(names.join(', '), 6, width).map((line) => paint('dim', line)),
      ...(kind === 'inconclusive' && names.length === 1
        ? [`      ${paint('cyan', toPrintable(repeat(name)))}`]
        : []),
    ]
  }
  return ['', title, ...items.flatMap(itemLines)]
}

const MAX_FAILURES = 12

function closingLines(model: ReportModel, result: RunResult, screen: Screen): readonly string[] {
  const { headline, failures, unseen } = model
  const { sentence, details, tone } = headline
  const { mark, style } = TONES[tone]
  const more = failures.length - MAX_FAILURES
  const unseenLines = unseen ? wrapText(`${unseen.title} (see above)`, 0, screen.width) : []
  return [
    screen.paint(style, `${mark} ${sentence}`),
    ...details.flatMap((text) => wrapText(text, 2, screen.width)),
    ...failures.slice(0, MAX_FAILURES).flatMap((group, index) => failureLines(group, index + 1, screen)),
    ...(more > 0 ? [`   … and ${more} more, above`] : []),
    ...unseenLines.map((line) => screen.paint('yellow', line)),
    ...countLines(model, result, screen),
  ]
}

function failureLines({ words, lead }: FailureGroup, number: number, screen: Screen): readonly string[] {
  const { paint, width } = screen
  const place = paint('red', `${String(number).padStart(3)}. `)
  if (words === undefined) {
    const actual = clip(toPrintable(abbreviateIds(explainVerdict(lead))), width - 5)
    return [`${place}${lead.check.id.padEnd(40)} ${lead.check.severity}`, paint('dim', `     ${actual}`)]
  }
  const [first = '', ...rest] = wrapText(words.title, 5, width)
  return [
    place + paint('bold', first.trimStart()),
    ...rest,
    ...wrapText(words.extent, 5, width).map((line) => paint('dim', line)),
  ]
}

function countLines(
  { headline: { tone }, counts, circumstances }: ReportModel,
  result: RunResult,
  { paint, width }: Screen,
): readonly string[] {
  const known = counts.failed - newFailures(result).length
  const parts = counts['partly-observed']
  const delay = describeEffectDelay(result)
  const lines = [
    [
      `${counts.passed} passed`,
      ...(parts === 0 ? [] : [`${parts} partly observed`]),
      `${counts.failed} failed${known === 0 ? '' : ` (${known} known)`}`,
      `${counts.inconclusive} inconclusive`,
      `${counts['not-observable']} not observable`,
      `${counts.skipped} skipped`,
    ].join(' · '),
    circumstances.filter((text) => text !== delay).join(' · '),
    ...(delay === undefined ? [] : [delay]),
    ...(parts + counts.passed > 0 ? legendLines(parts > 0, tone === 'partial') : []),
  ]
  return lines.flatMap((line) => wrapText(line, 0, width)).map((line) => paint('dim', line))
}

function legendLines(hasParts: boolean, isPartial: boolean): readonly string[] {
  const marks = [
    ...(hasParts ? ['◐ partly observed'] : []),
    ...(isPartial ? ['! no failure, but needs your attention'] : []),
  ]
  return marks.length === 0 ? [] : [`marks: ${['✓ passed', ...marks].join(' · ')}`]
}
