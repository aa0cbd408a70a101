import type { CheckInfo } from '../../spec/generated/control-types.ts'
import { readings } from '../../spec/readings.ts'
import { requiredLevel, NEEDS } from '../check.ts'
import { topicOf } from '../run/select.ts'
import { wrapText, type Screen } from './columns.ts'
import { checkUrl, LEVELS, quoteSource } from './report.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'

export function listText(checks: readonly ReceiverCheck[], screen: Screen): string {
  const topics = [...Map.groupBy(checks, topicOf)].flatMap(([topic, members]) => [
    screen.paint('bold', topic),
    ...members.flatMap((check) => checkLines(check, screen)),
    '',
  ])
  return [
    ...topics,
    `${checks.length} checks. To read about a check, run npx hookbench check --explain ID`,
  ].join('\n')
}

function checkLines(check: ReceiverCheck, { paint, width }: Screen): readonly string[] {
  const marks = `${check.severity.padEnd(7)}${LEVELS[requiredLevel(check)].padEnd(11)}`
  const requirement = wrapText(check.requirement, 6, width).map((line) => paint('dim', line))
  return [`  ${check.id.padEnd(46)} ${marks}`.trimEnd(), ...requirement]
}

export function listJson(checks: readonly ReceiverCheck[]) {
  return checks.map(aboutCheck)
}

function aboutCheck(check: ReceiverCheck) {
  return {
    id: check.id,
    topic: topicOf(check),
    severity: check.severity,
    level: requiredLevel(check),
    requirement: check.requirement,
    needs: [...(check.needs ?? [])],
    source: quoteSource({ check }),
    readings: [...(check.readings ?? [])],
  }
}

export function explainText(check: ReceiverCheck, { paint, width }: Screen): string {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Document', quoteSource({ check })],
    ['Readings', (check.readings ?? []).map(readingLine)],
    ['Observed', observedLines(check)],
    ['Meaning', [check.meaning]],
    ['Fix', [check.remedy]],
    ['Run it', [`npx hookbench check URL ${check.id}`]],
    ['Page', [checkUrl(check.id)]],
  ]
  return [
    `${paint('bold', check.id)}  ${paint('dim', `${check.severity.toUpperCase()} · ${LEVELS[requiredLevel(check)]}`)}`,
    ...wrapText(check.requirement, 2, width),
    '',
    ...rows.flatMap(([name, texts]) => row(paint('dim', name.padEnd(10)), texts, width)),
  ].join('\n')
}

export function explainJson(check: ReceiverCheck): CheckInfo {
  const { meaning, remedy } = check
  const about = aboutCheck(check)
  return {
    ...about,
    observed: observedLines(check),
    readings: about.readings.map(readingLine),
    meaning,
    remedy,
  }
}

function row(label: string, texts: readonly string[], width: number): readonly string[] {
  const lines = texts.flatMap((text) => wrapText(text, 12, width))
  return lines.map((line, index) => (index === 0 ? `  ${label}${line.trimStart()}` : line))
}

function readingLine(id: string): string {
  const reading = readings.find((one) => one.id === id)
  return reading ? `${id} (default ${reading.default}): ${reading.about}` : id
}

function observedLines({ needs = [], uses = [], negative, alone, spansRun }: ReceiverCheck): string[] {
  const set = needs.map((need) => NEEDS[need].settings).join(' and ')
  const more = uses.map((need) => NEEDS[need].settings).join(' and ')
  return [
    needs.length === 0 ? 'The check needs only the answers of your receiver.' : `The check needs ${set}.`,
    ...(more === '' ? [] : [`The check can observe more if you set ${more}.`]),
    ...(negative === true
      ? ['The check runs between two valid deliveries, because a rejection alone proves nothing.']
      : []),
    ...(alone === true ? ['The check runs alone.'] : []),
    ...(spansRun === true ? ['The check starts with the run, and ends after all other checks.'] : []),
  ]
}
