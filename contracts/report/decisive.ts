import type { Moment } from '../run/run-result.ts'
import type { SentMoment, Story } from './story.ts'

type EffectsMoment = Extract<Moment, { readonly kind: 'effects' }>

/** The effects around the exchange that shows best what went wrong. */
export interface Around {
  readonly before: EffectsMoment | undefined
  readonly after: EffectsMoment | undefined
}

/** The last effects that were read before, and of the same object after. */
export function effectsAround({ moments, turn }: Story): Around {
  const at = turn ? moments.indexOf(turn) : 0
  const after = effectsIn(moments.slice(at)).at(-1)
  const before = effectsIn(moments.slice(0, at)).findLast(({ target }) => target.id === after?.target.id)
  return { before, after }
}

function effectsIn(moments: readonly Moment[]): readonly EffectsMoment[] {
  return moments.filter((moment) => moment.kind === 'effects')
}

/** What a platform proves itself with is not for a report to keep. */
const SECRET = /^(proxy-)?authorization$|^cookie$|api-?key|token|secret/i

/** The request's headers, without what is secret in them. */
export function headersOf({ request }: SentMoment['sent']): readonly (readonly [string, string])[] {
  return request.headers.map(([name, value]) => [name, SECRET.test(name) ? '(left out)' : value])
}
