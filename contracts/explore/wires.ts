import type { RawRequest } from '../toolkit/check-context.ts'
import type { Wire } from '../explored-case.ts'

type WireForm = Pick<RawRequest, 'body' | 'headers' | 'splits' | 'expectsContinue' | 'hasCapitalHeaders'>

const FORMS: { readonly [Each in Wire]: (body: string) => WireForm } = {
  'split-in-character': (body) => ({ splits: splitsInCharacters(body) }),
  'byte-by-byte': (body) => ({ splits: firstBytes(body) }),
  'expect-continue': () => ({ expectsContinue: true }),
  'header-case': () => ({ hasCapitalHeaders: true }),
  'fresh-connection': () => ({}),
}

export function wireOf(wire: Wire, body: string): WireForm {
  const headers = { 'content-type': 'application/json', 'user-agent': 'Payments-Notifications/1.0' }
  return { body, headers, ...FORMS[wire](body) }
}

const MAX_SPLITS = 4

/** Returns offsets inside multi-byte characters, or the middle if there are no such characters. */
function splitsInCharacters(body: string): readonly number[] {
  const bytes = Buffer.from(body)
  const inside = [...bytes.entries()].flatMap(([index, byte]) =>
    (byte & 0b1100_0000) === 0b1000_0000 ? [index] : [],
  )
  return inside.length > 0 ? inside.slice(0, MAX_SPLITS) : [Math.floor(bytes.length / 2)]
}

const BYTES = 12

/** Returns the offsets that send each of the first bytes alone, because a receiver may read the body only once. */
function firstBytes(body: string): readonly number[] {
  return Array.from({ length: Math.min(BYTES, body.length - 1) }, (_, index) => index + 1)
}
