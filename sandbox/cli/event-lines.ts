import type { Event } from '../../spec/generated/control-types.ts'
import { printable } from '../printable.ts'
import { shortId, styled } from './terminal.ts'

/** What of its data tells what an event is about, by path, in the order in which it is told. */
const TOLD: { readonly [Type in Event['type']]: readonly string[] } = {
  object: ['object_type', 'id', 'object.state', 'state'],
  registration: ['generation', 'object_type', 'url', 'id'],
  registration_removed: ['generation', 'object_type', 'url', 'id'],
  job: ['object_type', 'object_id', 'state', 'status', 'id', 'job.id', 'job.status'],
  attempt: ['job_id', 'job', 'number', 'status', 'reason', 'message'],
  job_called_off: ['object_type', 'object_id', 'id', 'job_id', 'reason'],
  payment: ['kind', 'outcome', 'step', 'steps', 'id'],
  secret: ['id'],
  readings: [],
  clock: ['now', 'mode', 'speed'],
  delivery: ['id', 'url'],
  request: ['by', 'method', 'path', 'status', 'user_agent'],
  fault: ['id', 'on', 'kind'],
  fault_removed: ['id', 'on', 'kind'],
  world: ['now', 'mode'],
  gap: [],
}

/** Every type of event. */
export const eventTypes: readonly string[] = Object.keys(TOLD)

const WIDEST = Math.max(...eventTypes.map((type) => type.length))
const LONGEST = 160

/** One line for one event: when, what, and what it is about. */
export function eventLine({ id, type, at, data }: Event): string {
  const about = type === 'gap' ? gapText(data) : aboutText(type, data)
  const line = `${at}  ${type.padEnd(WIDEST)}  ${about}`.trimEnd()
  return `${styled(styleOf(type, data), printable(line))}${styled('dim', printable(`  #${id}`))}`
}

/** What was lost is lost: the reader has to look at what is now. */
function gapText(data: Event['data']): string {
  const more = Object.keys(data).length === 0 ? '' : ` ${JSON.stringify(data)}`
  return `events before this one are no longer known: look at jobs, requests and objects anew${more}`
}

function aboutText(type: Event['type'], data: Event['data']): string {
  // A newer sandbox may tell of what is not known here.
  const told = (Object.hasOwn(TOLD, type) ? TOLD[type] : []).flatMap((path) => textAt(path, data))
  const text = told.length === 0 ? JSON.stringify(data) : told.join(' ')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function textAt(path: string, data: Event['data']): string[] {
  const value = path
    .split('.')
    .reduce<unknown>(
      (inside, key) => (typeof inside === 'object' && inside !== null ? Reflect.get(inside, key) : undefined),
      data,
    )
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'string' || value === '') return []
  return [/^object_id$/.test(path) ? shortId(value) : value]
}

function styleOf(type: Event['type'], { reason }: Event['data']): 'red' | 'yellow' | 'reset' {
  if (type === 'gap') return 'yellow'
  return type === 'attempt' && typeof reason === 'string' ? 'red' : 'reset'
}
