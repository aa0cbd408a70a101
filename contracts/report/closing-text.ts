import { countVerdicts, type CheckResult, type RunResult } from '../run/run-result.ts'
import { describeCause, describeExtent } from './cause-text.ts'
import { wrapText, type Screen } from './columns.ts'
import { groupFailures, type FailureGroup } from './failure-groups.ts'
import { headlineOf, TONES, type Tone } from './headline.ts'
import { abbreviateIds, clip } from './markup.ts'
import {
  describeEffectDelay,
  explainVerdict,
  formatMs,
  formatWorld,
  LEVELS,
  newFailures,
  type ReportOptions,
} from './report.ts'
import {
  describeUnseenMusts,
  groupSeenInPart,
  groupUnobserved,
  NOT_OBSERVED,
  SEEN_IN_PART,
} from './unobserved.ts'
import { toPrintable } from '../../sandbox/internal.ts'

/** More than so many are above only. */
const MOST_FAILURES = 12

/** The last lines of a run in a terminal: what it comes to, what to mend first, what nobody looked at, the counts. */
export function closingLines(
  result: RunResult,
  { demands }: ReportOptions,
  screen: Screen,
): readonly string[] {
  const { sentence, details, tone } = headlineOf(result, demands)
  const { mark, style } = TONES[tone]
  const groups = groupFailures(result)
  const more = groups.length - MOST_FAILURES
  return [
    screen.paint(style, `${mark} ${sentence}`),
    ...details.flatMap((text) => wrapText(text, 2, screen.width)),
    ...groups.slice(0, MOST_FAILURES).flatMap((group, index) => failureLines(group, index + 1, screen)),
    ...(more > 0 ? [`   … and ${more} more, above`] : []),
    ...unseenLines(result, screen),
    ...countLines(result, tone, screen),
  ]
}

function failureLines(group: FailureGroup, number: number, screen: Screen): readonly string[] {
  const { cause, lead } = group
  const { paint, width } = screen
  const place = `${String(number).padStart(3)}. `
  if (cause === undefined) {
    const line = `${lead.check.id.padEnd(40)} ${lead.check.severity}`
    const actual = clip(toPrintable(abbreviateIds(explainVerdict(lead))), width - 5)
    return [`${paint('red', place)}${line}`, paint('dim', `     ${actual}`)]
  }
  const { title } = describeCause(cause)
  const [first = '', ...rest] = wrapText(title, 5, width)
  return [
    `${paint('red', place)}${paint('bold', first.trimStart())}`,
    ...rest,
    ...wrapText(describeExtent(group), 5, width).map((line) => paint('dim', line)),
  ]
}

/** What it takes is told above. A run that did not reach the receiver has nothing to tell of it. */
function unseenLines(result: RunResult, { paint, width }: Screen): readonly string[] {
  const unseen = result.unreached === null ? describeUnseenMusts(result) : undefined
  if (!unseen) return []
  const places = [
    ...(groupUnobserved(result).length === 0 ? [] : [NOT_OBSERVED]),
    ...(groupSeenInPart(result).length === 0 ? [] : [SEEN_IN_PART]),
  ]
  const see = places.map((place) => `"${place}"`).join(' and ')
  return wrapText(`${unseen.title}; see ${see}`, 0, width).map((line) => paint('yellow', line))
}

/** The marks of checks and of the run that need an explanation; none if only usual ones are shown. */
function legendLines(parts: number, tone: Tone): readonly string[] {
  const marks = [
    ...(parts > 0 ? ['◐ partly observed'] : []),
    ...(tone === 'partial' ? ['! did not fail, but is worth a look'] : []),
  ]
  return marks.length === 0 ? [] : [`marks: ${['✓ passed', ...marks].join(' · ')}`]
}

function countLines(result: RunResult, tone: Tone, { paint, width }: Screen): readonly string[] {
  const summary = countVerdicts(result)
  const failed = newFailures(result).length
  const knowns = summary.failed - failed
  const parts = summary['partly-observed']
  const counts = [
    `${summary.passed} passed`,
    ...(parts === 0 ? [] : [`${parts} partly observed`]),
    `${summary.failed} failed${knowns === 0 ? '' : ` (${knowns} of them known)`}`,
    `${summary.inconclusive} inconclusive`,
    `${summary['not-observable']} not observable`,
    `${summary.skipped} skipped`,
  ]
  const run = `seed ${result.seed} · observed up to level ${result.level} (${LEVELS[result.level]}) · ${formatMs(result.tookMs)}${formatWorld(result, ' · ')}`
  const delay = describeEffectDelay(result)
  const lines = [
    counts.join(' · '),
    run,
    ...(delay === undefined ? [] : [delay]),
    ...(parts + summary.passed > 0 ? legendLines(parts, tone) : []),
  ]
  return lines.flatMap((line) => wrapText(line, 0, width)).map((line) => paint('dim', line))
}

/** The ids of checks, on as many lines as they need. */
export function idLines(
  results: readonly CheckResult[],
  indent: number,
  { width }: Screen,
): readonly string[] {
  return wrapText(results.map(({ check }) => check.id).join(', '), indent, width)
}
