import { stripVTControlCharacters, styleText } from 'node:util'
import { commandLine, type CommandTarget } from '../engine/core/command-line.ts'
import type { UnsubscribedTrigger } from '../engine/notifications/unsubscribed-triggers.ts'
import type { Clock } from '../engine/core/ports.ts'
import { duration, shortId, toPrintable } from '../engine/core/short-text.ts'
import { describeFlags } from '../engine/delivery/exchange-flags.ts'
import type { AttemptHead } from '../engine/state/entries.ts'
import type { JobRecord } from '../engine/state/job.ts'

type Style = Parameters<typeof styleText>[0]

/** Styles text if the stream is a terminal with styles. */
export function style(format: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(format, text, { stream })
}

export function attemptLine(
  job: JobRecord,
  attempt: AttemptHead,
  clock: Pick<Clock, 'now' | 'speed'>,
): string {
  const what = `→ ${job.object_type} ${toPrintable(shortId(job.object_id))}${job.state === null ? '' : ` ${job.state}`}`
  const { totalMs } = attempt.timings
  const took = totalMs === null ? '' : ` in ${duration(totalMs)}`
  const answer = `${attempt.status ?? attempt.reason}${took}${oddityText(attempt)}`
  const mark = style(attempt.reason === null ? 'green' : 'red', answer)
  const by = job.generation === 'callbacks' ? ' by callback' : ''
  const lines = [`${what}${by} attempt ${attempt.number}  ← ${mark}${nextAttemptText(job, attempt, clock)}`]
  if (attempt.status === null) lines.push(style('dim', `  ${toPrintable(attempt.message)}`))
  return lines.join('\n')
}

/** Reports an event without a registration, with the remedy. Source: §7 */
export function unsubscribedLine(
  { object_type, generation }: UnsubscribedTrigger,
  target: CommandTarget,
): string {
  const [kind, option] = generation === 'webhooks' ? ['webhook', ''] : ['callback', ' --generation callbacks']
  const remedy = commandLine(`register URL --type ${object_type}${option}`, target)
  return style('dim', `  ${object_type} changed, but no ${kind} is registered for ${object_type}: ${remedy}`)
}

/** Lists the oddities: flags of the exchange, faults, a manual send. */
function oddityText({ flags, manual, faults = [] }: AttemptHead): string {
  const odd = [
    ...flags.map((flag) => describeFlags([flag])),
    ...faults.map(({ kind }) => `fault ${kind}`),
    ...(manual ? ['by hand'] : []),
  ]
  return odd.length === 0 ? '' : ` (${odd.join(', ')})`
}

function nextAttemptText(
  job: JobRecord,
  attempt: AttemptHead,
  { now, speed }: Pick<Clock, 'now' | 'speed'>,
): string {
  if (attempt.reason === null) return ''
  if (job.next_due_at === null) return style('red', ', given up')
  const gapMs = Math.max(0, job.next_due_at - now())
  if (speed === 0) return `, next in ${duration(gapMs)} of the manual clock`
  return speed === 1
    ? `, next in ${duration(gapMs)}`
    : `, next in ${duration(gapMs)} (${duration(gapMs / speed)})`
}

export const visibleWidth = (text: string) => stripVTControlCharacters(text).length

export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(...rows.map((row) => visibleWidth(row[index] ?? ''))),
  )
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          index === row.length - 1
            ? cell
            : cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - visibleWidth(cell))),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Returns the width of the terminal in characters. Infinite for a program. */
export const terminalWidth = () => process.stdout.columns ?? Number.POSITIVE_INFINITY

const LINE_WIDTH = 100

/** Wraps text, with a prefix for the first line and another for the rest. */
export function wrap(
  text: string,
  { first, rest }: { readonly first: string; readonly rest: string },
  width = LINE_WIDTH,
): string {
  const lines: string[] = []
  let line = first
  for (const word of text.split(' ')) {
    const isFull =
      line.trim() !== '' && line !== first && visibleWidth(line + word) > Math.min(width, LINE_WIDTH)
    if (isFull) lines.push(line.trimEnd())
    line = isFull ? `${rest}${word} ` : `${line}${word} `
  }
  return [...lines, line.trimEnd()].join('\n')
}

export function fitLine(text: string, rest: string): string {
  const width = terminalWidth()
  return visibleWidth(text) <= width ? text : wrap(text, { first: '', rest }, width)
}
