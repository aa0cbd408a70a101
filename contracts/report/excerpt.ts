import type { CheckResult, RunEvent } from '../run/run-result.ts'

/** What of a check's moments tells what went wrong. */
export interface Excerpt {
  readonly events: readonly RunEvent[]
  /** Whether there were more, about other objects or further away. */
  readonly isPart: boolean
  /** The exchange that shows it best; undefined if nothing was sent. */
  readonly deciding: SentEvent | undefined
}

export type SentEvent = Extract<RunEvent, { readonly kind: 'sent' }>

/** A check may try a hundred sequences: told is the one that its finding is about, at most so many moments of it. */
export function selectExcerpt(result: CheckResult, most: number): Excerpt {
  const events = withoutRepeatedReads(result.events)
  const named = namedIds(result)
  const about = events.filter((event) => named.some((id) => isAbout(event, id)))
  const told = about.some(({ kind }) => kind === 'sent') ? about : events
  const lean = told.length > most ? told.filter(({ kind }) => kind !== 'world') : told
  const deciding = decidingExchange(result, told)
  const middle = deciding ? lean.indexOf(deciding) : 0
  const start = Math.max(0, Math.min(middle - Math.floor(most / 2), lean.length - most))
  const shown = lean.slice(start, start + most)
  return { events: shown, isPart: shown.length < events.length, deciding }
}

/** A shorter id may be a word of the finding. */
const SHORTEST = 5

/** The ids of objects that the finding speaks of. */
function namedIds({ finding, events }: CheckResult): readonly string[] {
  if (finding?.kind !== 'failed') return []
  const words = new Set(`${finding.expected} ${finding.actual}`.split(/[\s,;:()"]+/))
  const ids = events.flatMap((event) => {
    if (event.kind === 'effects') return [event.target.id]
    return event.kind === 'called' && event.request.object_id !== null ? [event.request.object_id] : []
  })
  return [...new Set(ids)].filter((id) => id.length >= SHORTEST && words.has(id))
}

function isAbout(event: RunEvent, id: string): boolean {
  switch (event.kind) {
    case 'sent':
      return event.sent.request.body.includes(id)
    case 'effects':
      return event.target.id === id
    case 'called':
      return event.request.object_id === id
    case 'world':
      return event.text.includes(id)
    default:
      return event satisfies never
  }
}

/** Effects are read again and again until they have settled: how often depends on the machine, and says nothing. */
export function withoutRepeatedReads(events: readonly RunEvent[]): readonly RunEvent[] {
  const last = new Map<string, string>()
  return events.filter((event) => {
    if (event.kind === 'sent') {
      for (const id of last.keys()) if (isAbout(event, id)) last.delete(id)
    }
    if (event.kind !== 'effects') return true
    const seen = JSON.stringify(event.seen)
    if (last.get(event.target.id) === seen) return false
    last.set(event.target.id, seen)
    return true
  })
}

/** The exchange that the finding names, or else the first that was not accepted, or else the last; controls say nothing. */
function decidingExchange({ finding }: CheckResult, told: readonly RunEvent[]): SentEvent | undefined {
  const sent = told.filter((event) => event.kind === 'sent')
  const own = sent.filter((event) => !event.sent.label.startsWith('control '))
  const actual = finding?.kind === 'failed' ? finding.actual : ''
  return (
    own.find((event) => actual.includes(`${event.sent.label} was `)) ??
    own.find((event) => event.sent.status === null || event.sent.status < 200 || event.sent.status > 299) ??
    own.at(-1) ??
    sent.at(-1)
  )
}

type EffectsEvent = Extract<RunEvent, { readonly kind: 'effects' }>

/** The effects around the exchange that shows best what went wrong. */
export interface Around {
  readonly before: EffectsEvent | undefined
  readonly after: EffectsEvent | undefined
}

/** The last effects that were read before, and of the same object after. */
export function effectsAround({ events, deciding }: Excerpt): Around {
  const at = deciding ? events.indexOf(deciding) : 0
  const after = effectsIn(events.slice(at)).at(-1)
  const before = effectsIn(events.slice(0, at)).findLast(({ target }) => target.id === after?.target.id)
  return { before, after }
}

function effectsIn(events: readonly RunEvent[]): readonly EffectsEvent[] {
  return events.filter((event) => event.kind === 'effects')
}
