import type { Event } from '../../../spec/generated/control-types.ts'
import { valueAt } from '../../../spec/json-values.ts'
import { shortId } from '../../engine/core/short-text.ts'

type Data = Event['data']

const ABOUT: { readonly [Type in Event['type']]: (data: Data) => string } = {
  object: (data) => words(data, 'object_type', 'id', 'object/state', 'revision'),
  registration: (data) => {
    const state = data['enabled'] === false ? 'disabled' : 'enabled'
    return `${generation(data)} ${words(data, 'id', 'object_type', 'url')} ${state}`
  },
  registration_removed: (data) => words(data, 'id', 'object_type', 'url'),
  job: (data) => `${jobText(data)} (job ${words(data, 'job/id')})`,
  attempt: attemptText,
  job_called_off: (data) => `${jobText(data)} (job ${words(data, 'job/id')}) is no longer sent`,
  payment: (data) => {
    const step = `step ${words(data, 'step')} of ${words(data, 'steps')}`
    return `${words(data, 'kind')} to ${words(data, 'outcome')}: ${step} (payment ${words(data, 'id')})`
  },
  next_outcome: (data) =>
    data['outcome'] === null
      ? `the next ${words(data, 'kind')} has the default outcome`
      : `the next ${words(data, 'kind')} has the outcome ${words(data, 'outcome')}`,
  secret: () => 'a secret for signatures was set',
  readings: (data) =>
    Object.entries(data)
      .map(([id, option]) => `${id}=${String(option)}`)
      .join(' '),
  clock: (data) => `shows ${words(data, 'now')}${paceText(data['speed'])}`,
  delivery: (data) => words(data, 'id', 'url', 'status', 'reason'),
  request: (data) => {
    const status = data['status'] === null ? 'no answer' : words(data, 'status')
    const who = words(data, 'by', 'user_agent')
    return `${words(data, 'method', 'path')} ← ${status}${who === '' ? '' : ` to ${who}`}${faultsText(data)}`
  },
  fault: faultText,
  fault_removed: (data) => `removed ${words(data, 'id', 'on', 'kind')}`,
  run: (data) =>
    `${words(data, 'kind', 'about', 'status')}: ${words(data, 'headline', 'error') || words(data, 'progress/text')}`,
  world: (data) => (data['reason'] === 'reset' ? 'was reset' : 'was restored from the snapshot'),
  gap: () => 'earlier events are no longer available. List jobs, requests and objects again',
}

export const eventTypes: readonly string[] = Object.keys(ABOUT)

const MAX_LENGTH = 240

/** Returns the description of an event for people. The description can contain untrusted text from a receiver or caller. */
export function eventText({ type, data }: Pick<Event, 'type' | 'data'>): string {
  const known = ABOUT[type](data)
  const text = known === '' ? JSON.stringify(data) : known
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

function attemptText(data: Data): string {
  const answer = data['status'] === null ? words(data, 'reason', 'message') : words(data, 'status')
  const manual = data['manual'] === true ? ' (by hand)' : ''
  return `${jobText(data)} attempt ${words(data, 'number')} ← ${answer}${manual}${faultsText(data)}${nextAttemptText(data)}`
}

function nextAttemptText(data: Data): string {
  if (typeof data['reason'] !== 'string') return ''
  const due = valueAt(data, '/job/next_due_at')
  return typeof due === 'string' ? `, next at ${due}` : ', no more retries'
}

function faultText(data: Data): string {
  const about = words(data, 'id', 'on', 'kind')
  const times = typeof data['times'] === 'number' ? ` of ${data['times']}` : ''
  // Before the first match, the event reports that the fault was added.
  if (data['matched'] === 0) return `added ${about}${matchText(data)}`
  return `applied ${about}: ${words(data, 'applied')}${times} times`
}

function matchText({ match }: Data): string {
  const pairs = typeof match === 'object' && match !== null ? Object.entries(match) : []
  return pairs.length === 0 ? '' : ` on ${pairs.map(([key, value]) => `${key}=${value}`).join(' ')}`
}

function faultsText({ faults }: Data): string {
  const kinds = Array.isArray(faults) ? faults.map((fault: unknown) => valueAt(fault, '/kind')) : []
  return kinds.length === 0 ? '' : ` (fault ${kinds.join(', ')})`
}

function jobText(data: Data): string {
  const by = valueAt(data, '/job/generation') === 'callbacks' ? ' by callback' : ''
  return `→ ${words(data, 'job/object_type', 'job/object_id', 'job/state')}${by}`
}

const generation = (data: Data) => (data['generation'] === 'callbacks' ? 'callback' : 'webhook')

function paceText(speed: unknown): string {
  if (typeof speed !== 'number') return ''
  return speed === 0 ? ', moved by hand' : speed === 1 ? ', real time' : `, ${speed} times real time`
}

function words(data: Data, ...paths: readonly string[]): string {
  return paths
    .flatMap((path) => {
      const value = valueAt(data, `/${path}`)
      if (typeof value === 'number') return [path === 'revision' ? `revision ${value}` : String(value)]
      if (typeof value !== 'string' || value === '') return []
      return [path === 'job/object_id' ? shortId(value) : value]
    })
    .join(' ')
}
