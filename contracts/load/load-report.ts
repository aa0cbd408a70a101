import type { BookComparison, BookDifference } from './books.ts'
import { chartHtml, type Series } from './chart.ts'
import { concludeLoad, type LoadDemands, type LoadResult } from './conclusion.ts'
import type { Interval, Measurements, Percentiles } from './measurements.ts'
import type { Progress } from './send-load.ts'
import { PLAIN_SCREEN, wrapText, type Screen } from '../report/columns.ts'
import { escapeHtml } from '../report/escape.ts'
import { TONES } from '../report/headline.ts'
import { pageHtml } from '../report/html-page.ts'
import { formatCount, formatMeasuredTime, formatRound } from '../report/report.ts'
import { toPrintable, toPrintableJson } from '../../sandbox/internal.ts'

const MAX_DIFFERENCES = { text: 20, html: 200, json: 1_000 } as const

const NAME_WIDTH = 10

export function loadText(result: LoadResult, demands: LoadDemands, screen: Screen = PLAIN_SCREEN): string {
  const { tone, sentence, details } = concludeLoad(result, demands)
  const { mark, style } = TONES[tone]
  const { shown, more } = shortenDifferences(result, MAX_DIFFERENCES.text)
  const rows = [
    '',
    ...loadFacts(result).flatMap(([name, text]) => {
      const [first = '', ...rest] = wrapText(text, NAME_WIDTH, screen.width)
      return [name.padEnd(NAME_WIDTH) + first.slice(NAME_WIDTH), ...rest]
    }),
    ...shown.map(({ entry: { type, id }, difference: { expected, actual } }) =>
      toPrintable(`  ${type} ${id}: expected ${expected}, got ${actual}`),
    ),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
  return [
    ...(result.unreached === null ? rows : []),
    '',
    ...wrapText(`${mark} ${sentence}`, 0, screen.width).map((line) => screen.paint(style, line)),
    ...details.flatMap((text) => wrapText(text, 2, screen.width)),
  ].join('\n')
}

function shortenDifferences({ comparison }: LoadResult, most: number) {
  const all: readonly BookDifference[] = comparison.kind === 'compared' ? comparison.differences : []
  return { shown: all.slice(0, most), more: all.length - most }
}

function loadFacts(result: LoadResult): readonly (readonly [name: string, text: string])[] {
  const { measurements, connections, comparison, content, seed, schedule } = result
  const { offered, sent, answered, accepted, latency, answerTime, lag, wakeDelay } = measurements
  const missing = countUnsent(measurements)
  const unsent = missing === 0 ? '' : `, ${missing} not sent`
  const notAgain = accepted === offered ? '' : '. The load does not resend rejected notifications'
  const counts = listCounts(result).map(([what, count]) => `${what}: ${count}`)
  const others = counts.length === 0 ? '' : ` (${counts.join(', ')})`
  return [
    [
      'sent',
      `${sent} of ${offered} in ${formatMeasuredTime(result.tookMs)}${unsent} (${schedule.shape}; ${content})`,
    ],
    ['answered', `${answered}, of which ${accepted} were accepted${others}${notAgain}`],
    ['latency', `${describePercentiles(latency)} (from due time to answer)`],
    ['answer', `${describePercentiles(answerTime)} (from send time to answer)`],
    [
      'sender',
      `p99 ${formatMeasuredTime(lag.p99)} from due time to ready, p99 ${formatMeasuredTime(wakeDelay.p99)} late wake-up, at most ${connections.peak} of ${connections.limit} connections in use`,
    ],
    ['books', describeComparison(comparison)],
    ['seed', String(seed)],
  ]
}

function countUnsent({ unsent }: Measurements): number {
  return unsent.unmade + unsent.unplaced
}

function listCounts({ measurements }: LoadResult): readonly (readonly [string, number])[] {
  return [...Object.entries(measurements.statuses), ...Object.entries(measurements.reasons)]
}

function describePercentiles({ p50, p90, p99, p999, max }: Percentiles): string {
  const named = Object.entries({ p50, p90, p99, 'p99.9': p999, max })
  return named.map(([name, ms]) => `${name} ${formatMeasuredTime(ms)}`).join(', ')
}

function describeComparison(comparison: BookComparison): string {
  switch (comparison.kind) {
    case 'not-observable':
      return 'not compared, because the configuration has no "effects"'
    case 'stopped':
      return 'not compared, because you stopped the load'
    case 'unread':
      return 'not compared, because the effects could not be read'
    case 'compared': {
      const { compared, objects, differences } = comparison
      const part = compared === objects ? formatCount(objects, 'object') : `${compared} of ${objects} objects`
      const what = differences.length === 0 ? 'all equal to the service' : `${differences.length} differ`
      return `${part} compared, ${what}`
    }
    default:
      return comparison satisfies never
  }
}

export function progressText({ atMs, interval }: Progress, durationMs: number): string {
  const { fromMs, toMs, offered, answered, accepted, latency } = interval
  const perSecond = (count: number) => Math.round((count * 1_000) / (toMs - fromMs))
  const lost = answered - accepted
  return [
    `${formatMeasuredTime(Math.min(atMs, durationMs))} of ${formatMeasuredTime(durationMs)}`,
    `${perSecond(offered)} due and ${perSecond(answered)} answered a second`,
    `p99 ${formatMeasuredTime(latency.p99)}`,
    ...(lost > 0 ? [`${lost} not accepted`] : []),
  ].join(', ')
}

export function loadJson(result: LoadResult, demands: LoadDemands): string {
  const { kind, sentence, details, limits } = concludeLoad(result, demands)
  const { measurements: measured, connections, schedule } = result
  const { offered, sent, answered, accepted, statuses, reasons } = measured
  return toPrintableJson(
    {
      conclusion: kind,
      headline: [sentence, ...details].join('. '),
      receiver: result.receiver,
      seed: result.seed,
      started_at: result.startedAt,
      shape: schedule.shape,
      rate: schedule.rate,
      duration_ms: schedule.durationMs,
      content: result.content,
      took_ms: Math.round(result.tookMs),
      offered,
      sent,
      unsent: countUnsent(measured),
      answered,
      accepted,
      statuses,
      reasons,
      latency: toMilliseconds(measured.latency),
      answer_time: toMilliseconds(measured.answerTime),
      sender: {
        lag: toMilliseconds(measured.lag),
        wake_delay: toMilliseconds(measured.wakeDelay),
        unmade: measured.unsent.unmade,
        connections: {
          limit: connections.limit,
          peak: connections.peak,
          waits: connections.waits,
          held_waits: connections.heldWaits,
        },
        limits,
      },
      books: toBooks(result),
      intervals: measured.intervals.map(({ fromMs, toMs, latency, ...counts }) => ({
        from_ms: fromMs,
        to_ms: toMs,
        ...counts,
        latency: toMilliseconds(latency),
      })),
    },
    2,
  )
}

function toMilliseconds({ p50, p90, p99, p999, max }: Percentiles) {
  return { p50_ms: p50, p90_ms: p90, p99_ms: p99, p99_9_ms: p999, max_ms: max }
}

function toBooks(result: LoadResult) {
  const { comparison } = result
  if (comparison.kind !== 'compared') return null
  const { shown } = shortenDifferences(result, MAX_DIFFERENCES.json)
  return {
    objects: comparison.objects,
    compared: comparison.compared,
    differing: comparison.differences.length,
    differences: shown.map(({ entry, effects, difference }) => ({
      object_type: entry.type,
      id: entry.id,
      kind: difference.symptom,
      effects,
      expected: difference.expected,
      actual: difference.actual,
    })),
  }
}

export function loadHtml(result: LoadResult, demands: LoadDemands): string {
  const answers = listCounts(result).toSorted(([, a], [, b]) => b - a)
  const about = `<p class="about"><code>${escapeHtml(result.receiver)}</code> · ${escapeHtml(result.startedAt)}</p>`
  const figures = [
    chartsHtml(result),
    `<h2>Measurements</h2>${tableHtml(loadFacts(result), '<td>')}`,
    answers.length === 0 ? '' : `<h2>Answers</h2>${tableHtml(answers, '<td class="number">')}`,
    differencesHtml(result),
  ]
  return pageHtml(concludeLoad(result, demands), [about, ...(result.unreached === null ? figures : [])])
}

function chartsHtml({ measurements: { intervals } }: LoadResult): string {
  const timesMs = intervals.map(({ fromMs, toMs }) => (fromMs + toMs) / 2)
  const rate = (name: string, look: string, count: (interval: Interval) => number): Series => ({
    name,
    look,
    values: intervals.map((each) => (count(each) * 1_000) / (each.toMs - each.fromMs)),
  })
  const rates = chartHtml({
    id: 'rates',
    title: 'Notifications a second',
    timesMs,
    series: [
      rate('due', 'offered', ({ offered }) => offered),
      rate('accepted', 'accepted', ({ accepted }) => accepted),
      rate('answered otherwise', 'refused', ({ answered, accepted }) => answered - accepted),
    ],
    scale: 'linear',
    format: (value) => String(Math.round(value * 10) / 10),
  })
  const latencies = chartHtml({
    id: 'latency',
    title: 'Time from the due time to the answer',
    timesMs,
    series: (['p50', 'p90', 'p99', 'max'] as const).map((look) => ({
      name: look === 'max' ? 'the longest' : look,
      look,
      values: intervals.map(({ latency }) => latency[look]),
    })),
    scale: 'log',
    format: formatRound,
  })
  return `${rates}\n${latencies}`
}

function tableHtml(rows: readonly (readonly [string, string | number])[], cell: string): string {
  const lines = rows.map(
    ([name, value]) =>
      `<tr><th scope="row">${escapeHtml(name)}</th>${cell}${escapeHtml(String(value))}</td></tr>`,
  )
  return `<table><tbody>${lines.join('')}</tbody></table>`
}

function differencesHtml(result: LoadResult): string {
  const { shown, more } = shortenDifferences(result, MAX_DIFFERENCES.html)
  if (shown.length === 0) return ''
  const rows = shown.map(
    ({ entry: { type, id }, difference: { expected, actual } }) =>
      `<tr><td><code>${escapeHtml(`${type} ${id}`)}</code></td><td>${escapeHtml(expected)}</td><td>${escapeHtml(actual)}</td></tr>`,
  )
  return [
    '<h2>Differences from the service</h2>',
    '<table><thead><tr><th>object</th><th>the service</th><th>your platform</th></tr></thead>',
    `<tbody>${rows.join('')}</tbody></table>`,
    more > 0 ? `<p class="about">and ${more} more</p>` : '',
  ].join('\n')
}
