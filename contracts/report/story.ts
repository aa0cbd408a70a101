import type { CheckResult, Moment } from '../run/run-result.ts'

/** What of a check's moments tells what went wrong. */
export interface Story {
  readonly moments: readonly Moment[]
  /** Whether there were more, about other objects or further away. */
  readonly isPart: boolean
  /** The exchange that shows it best; undefined if nothing was sent. */
  readonly turn: SentMoment | undefined
}

export type SentMoment = Extract<Moment, { readonly kind: 'sent' }>

/** A check may try a hundred sequences: told is the one that its finding is about, at most so many moments of it. */
export function storyOf(result: CheckResult, most: number): Story {
  const moments = settled(result.moments)
  const named = namedIn(result)
  const about = moments.filter((moment) => named.some((id) => isAbout(moment, id)))
  const told = about.some(({ kind }) => kind === 'sent') ? about : moments
  const lean = told.length > most ? told.filter(({ kind }) => kind !== 'world') : told
  const turn = turnOf(result, told)
  const middle = turn ? lean.indexOf(turn) : 0
  const start = Math.max(0, Math.min(middle - Math.floor(most / 2), lean.length - most))
  const shown = lean.slice(start, start + most)
  return { moments: shown, isPart: shown.length < moments.length, turn }
}

/** A shorter id may be a word of the finding. */
const SHORTEST = 5

/** The ids of objects that the finding speaks of. */
function namedIn({ finding, moments }: CheckResult): readonly string[] {
  if (finding?.kind !== 'failed') return []
  const words = new Set(`${finding.expected} ${finding.actual}`.split(/[\s,;:()"]+/))
  const ids = moments.flatMap((moment) => {
    if (moment.kind === 'effects') return [moment.target.id]
    return moment.kind === 'called' && moment.request.object_id !== null ? [moment.request.object_id] : []
  })
  return [...new Set(ids)].filter((id) => id.length >= SHORTEST && words.has(id))
}

function isAbout(moment: Moment, id: string): boolean {
  switch (moment.kind) {
    case 'sent':
      return moment.sent.request.body.includes(id)
    case 'effects':
      return moment.target.id === id
    case 'called':
      return moment.request.object_id === id
    case 'world':
      return moment.text.includes(id)
    default:
      return moment satisfies never
  }
}

/** Effects are read again and again until they have settled: how often depends on the machine, and says nothing. */
export function settled(moments: readonly Moment[]): readonly Moment[] {
  const last = new Map<string, string>()
  return moments.filter((moment) => {
    if (moment.kind === 'sent') {
      for (const id of last.keys()) if (isAbout(moment, id)) last.delete(id)
    }
    if (moment.kind !== 'effects') return true
    const seen = JSON.stringify(moment.seen)
    if (last.get(moment.target.id) === seen) return false
    last.set(moment.target.id, seen)
    return true
  })
}

/** The exchange that the finding names, or else the first that was not accepted, or else the last; controls say nothing. */
function turnOf({ finding }: CheckResult, told: readonly Moment[]): SentMoment | undefined {
  const sent = told.filter((moment) => moment.kind === 'sent')
  const own = sent.filter((moment) => !moment.sent.label.startsWith('control '))
  const actual = finding?.kind === 'failed' ? finding.actual : ''
  return (
    own.find((moment) => actual.includes(`${moment.sent.label} was `)) ??
    own.find(
      (moment) => moment.sent.status === null || moment.sent.status < 200 || moment.sent.status > 299,
    ) ??
    own.at(-1) ??
    sent.at(-1)
  )
}
