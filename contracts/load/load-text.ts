import type { BookComparison, BookDifference } from './books.ts'
import { headlineOfLoad } from './conclusion.ts'
import type { LoadResult } from './load-result.ts'
import type { Percentiles, Progress } from './measurements.ts'
import type { LoadDemands } from './sender-limits.ts'
import { PLAIN_SCREEN, wrapText, type Screen } from '../report/columns.ts'
import { TONES } from '../report/headline.ts'
import { formatCount, formatDuration } from '../report/report.ts'
import { toPrintable } from '../../sandbox/internal.ts'

/** Writes the end of a load for a terminal. */
export function loadText(result: LoadResult, demands: LoadDemands, screen: Screen = PLAIN_SCREEN): string {
  const { tone, sentence, details } = headlineOfLoad(result, demands)
  const { mark, style } = TONES[tone]
  const rows = result.unreached === null ? ['', ...factLines(result, screen), ...differenceLines(result)] : []
  return [
    ...rows,
    '',
    ...wrapText(`${mark} ${sentence}`, 0, screen.width).map((line) => screen.paint(style, line)),
    ...details.flatMap((text) => wrapText(text, 2, screen.width)),
  ].join('\n')
}

/** Lists the figures by name. */
export function loadFacts(result: LoadResult): readonly (readonly [name: string, text: string])[] {
  const { measurements, connections, comparison, content, seed, schedule } = result
  const { offered, sent, answered, accepted, latency, answerTime, lag, wakeDelay } = measurements
  const { unmade, unplaced } = result.unsent
  const unsent = unmade + unplaced === 0 ? '' : `, ${unmade + unplaced} never sent`
  const notAgain = accepted === offered ? '' : '; what was not accepted was not sent again'
  return [
    [
      'sent',
      `${sent} of ${offered} in ${formatDuration(result.tookMs)}${unsent} (${schedule.shape}; ${content})`,
    ],
    ['answered', `${answered}, of which ${accepted} accepted${listCounts(measurements)}${notAgain}`],
    ['latency', `${describePercentiles(latency)} (from when each was due)`],
    ['answer', `${describePercentiles(answerTime)} (from when it was sent)`],
    [
      'sender',
      `ready ${formatDuration(lag.p99)} after it was due, woken ${formatDuration(wakeDelay.p99)} late (p99); ${connections.peak} of ${connections.limit} connections in use at the most`,
    ],
    ['books', describeComparison(comparison)],
    ['seed', String(seed)],
  ]
}

const NAME_WIDTH = 10

function factLines(result: LoadResult, { width }: Screen): readonly string[] {
  return loadFacts(result).flatMap(([name, text]) => {
    const [first = '', ...rest] = wrapText(text, NAME_WIDTH, width)
    return [name.padEnd(NAME_WIDTH) + first.slice(NAME_WIDTH), ...rest]
  })
}

/** Counts the other answers and the reasons without an answer. */
function listCounts({ statuses, reasons }: LoadResult['measurements']): string {
  const counts = [...Object.entries(statuses), ...Object.entries(reasons)]
  return counts.length === 0 ? '' : ` (${counts.map(([what, count]) => `${what}: ${count}`).join(', ')})`
}

const NAMES = { p50: 'p50', p90: 'p90', p99: 'p99', p999: 'p99.9', max: 'max' } as const

function describePercentiles(percentiles: Percentiles): string {
  return [
    `${NAMES.p50} ${formatDuration(percentiles.p50)}`,
    `${NAMES.p90} ${formatDuration(percentiles.p90)}`,
    `${NAMES.p99} ${formatDuration(percentiles.p99)}`,
    `${NAMES.p999} ${formatDuration(percentiles.p999)}`,
    `${NAMES.max} ${formatDuration(percentiles.max)}`,
  ].join(', ')
}

function describeComparison(comparison: BookComparison): string {
  switch (comparison.kind) {
    case 'not-observable':
      return 'not compared: your configuration does not say where your effects are shown'
    case 'stopped':
      return 'not compared: it was stopped before'
    case 'unread':
      return 'not compared: they could not be read'
    case 'compared': {
      const { compared, objects, differences } = comparison
      const part = compared === objects ? formatCount(objects, 'object') : `${compared} of ${objects} objects`
      const what = differences.length === 0 ? 'all as the service says' : `${differences.length} differ`
      return `${part} compared, ${what}`
    }
    default:
      return comparison satisfies never
  }
}

const MOST_DIFFERENCES = 20

export function listDifferences({ comparison }: Pick<LoadResult, 'comparison'>): readonly BookDifference[] {
  return comparison.kind === 'compared' ? comparison.differences : []
}

function differenceLines(result: LoadResult): readonly string[] {
  const differences = listDifferences(result)
  const more = differences.length - MOST_DIFFERENCES
  return [
    ...differences.slice(0, MOST_DIFFERENCES).map((each) => `  ${describeDifference(each)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

/** Returns a text such as `transactions 5ec8…: expected one effect, got 2 effects`. */
function describeDifference({
  entry: { type, id },
  difference: { expected, actual },
}: BookDifference): string {
  return toPrintable(`${type} ${id}: expected ${expected}, got ${actual}`)
}

/** Writes a line of progress. */
export function progressText({ atMs, durationMs, interval }: Progress): string {
  const { fromMs, toMs, offered, answered, accepted, latency } = interval
  const perSecond = (count: number) => Math.round((count * 1_000) / (toMs - fromMs))
  const lost = answered - accepted
  return [
    `${formatDuration(Math.min(atMs, durationMs))} of ${formatDuration(durationMs)}`,
    `${perSecond(offered)} due and ${perSecond(answered)} answered a second`,
    `p99 ${formatDuration(latency.p99)}`,
    ...(lost > 0 ? [`${lost} not accepted`] : []),
  ].join(', ')
}
