import type { Event } from '../../spec/generated/control-types.ts'
import { eventTypes } from '../api/control/event-text.ts'
import { toPrintable } from '../engine/core/printable.ts'
import { style } from './terminal.ts'

const WIDEST = Math.max(...eventTypes.map((type) => type.length))

/** One line for one event, for that stream: when, what, and what it is about. */
export function eventLine(event: Event, stream: NodeJS.WriteStream = process.stdout): string {
  const { id, type, at, text, data } = event
  const line = `${at}  ${type.padEnd(WIDEST)}  ${text}`.trimEnd()
  return `${style(chooseStyle(type, data), toPrintable(line), stream)}${style('dim', toPrintable(`  #${id}`), stream)}`
}

function chooseStyle(type: Event['type'], { reason }: Event['data']): 'red' | 'yellow' | 'reset' {
  if (type === 'gap') return 'yellow'
  return type === 'attempt' && typeof reason === 'string' ? 'red' : 'reset'
}
