import type { RawRequest } from '../toolkit/check-context.ts'
import type { Wire } from '../explored-case.ts'

type WireForm = Pick<RawRequest, 'body' | 'headers' | 'splits' | 'expectsContinue' | 'hasCapitalHeaders'>

export function wireOf(wire: Wire, body: string): WireForm {
  const headers = { 'content-type': 'application/json', 'user-agent': 'Payments-Notifications/1.0' }
  switch (wire) {
    case 'split-in-character':
      return { body, headers, splits: splitsInCharacters(body) }
    case 'byte-by-byte':
      return { body, headers, splits: firstBytes(body) }
    case 'expect-continue':
      return { body, headers, expectsContinue: true }
    case 'header-case':
      return { body, headers, hasCapitalHeaders: true }
    case 'fresh-connection':
      return { body, headers }
    default:
      return wire satisfies never
  }
}

const MAX_SPLITS = 4

/** Returns offsets inside characters of several bytes, or the middle if there are no such characters. */
function splitsInCharacters(body: string): readonly number[] {
  const bytes = Buffer.from(body)
  const inside = [...bytes.entries()].flatMap(([index, byte]) =>
    (byte & 0b1100_0000) === 0b1000_0000 ? [index] : [],
  )
  return inside.length > 0 ? inside.slice(0, MAX_SPLITS) : [Math.floor(bytes.length / 2)]
}

const BYTES = 12

/** Returns offsets by which the first bytes are sent alone, because a receiver may read only once. */
function firstBytes(body: string): readonly number[] {
  return Array.from({ length: Math.min(BYTES, body.length - 1) }, (_, index) => index + 1)
}
