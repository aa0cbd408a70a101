import type { Event } from '../../spec/generated/control-types.ts'
import { printable } from '../engine/core/printable.ts'
import { ABOUT } from './event-texts.ts'
import { styled } from './terminal.ts'

/** Every type of event. */
export const eventTypes: readonly string[] = Object.keys(ABOUT)

const WIDEST = Math.max(...eventTypes.map((type) => type.length))
const LONGEST = 240

/** One line for one event: when, what, and what it is about. */
export function eventLine({ id, type, at, data }: Event): string {
  const line = `${at}  ${type.padEnd(WIDEST)}  ${aboutText(type, data)}`.trimEnd()
  return `${styled(styleOf(type, data), printable(line))}${styled('dim', printable(`  #${id}`))}`
}

function aboutText(type: Event['type'], data: Event['data']): string {
  // A newer sandbox may tell of what is not known here.
  const told = Object.hasOwn(ABOUT, type) ? ABOUT[type](data) : ''
  const text = told === '' ? JSON.stringify(data) : told
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function styleOf(type: Event['type'], { reason }: Event['data']): 'red' | 'yellow' | 'reset' {
  if (type === 'gap') return 'yellow'
  return type === 'attempt' && typeof reason === 'string' ? 'red' : 'reset'
}
