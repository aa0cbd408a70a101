/** What the scenario says among its system calls. */
export interface Notes {
  /** It commits these entries in one transaction: all of them are kept, or none. */
  readonly batch: { readonly world: number; readonly from: number; readonly sums: readonly number[] }
  /** These take the place of everything; the world before is there whole until then. */
  readonly world: { readonly world: number; readonly sums: readonly number[] }
  /** It acknowledges that all entries up to this one are kept. */
  readonly kept: { readonly world: number; readonly position: number }
  /** It begins to add or to remove a named world. */
  readonly 'named-world': { readonly name: string }
  /** It acknowledges that a named world has so many entries, or that it is removed. */
  readonly 'kept-named-world': { readonly name: string; readonly length: number | 'removed' }
  /** A sync of the file with this descriptor failed: the disk has forgotten what was not on it. */
  readonly 'failed-sync': { readonly descriptor: number }
}

export type Note = { readonly [Kind in keyof Notes]: Notes[Kind] & { readonly kind: Kind } }[keyof Notes]

const MARK = 'power-loss-note '

export function formatNote<Kind extends keyof Notes>(kind: Kind, about: Notes[Kind]): string {
  return `${MARK}${JSON.stringify({ kind, ...about })}\n`
}

/** Undefined for what is none. */
export function parseNote(text: string): Note | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only formatNote writes it
  return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as Note) : undefined
}
