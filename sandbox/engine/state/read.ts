import type { Entry } from './entries.ts'

/** Gives the entry with a number. */
export type Read = (position: number) => Entry

/** Only `commit` writes bodies, and each kind of head has one kind of body. */
export function parseBody<Body>(text: string): Body {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(text) as Body
}
