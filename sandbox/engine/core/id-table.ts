import type { Column } from './column.ts'
import { beginsLike, formatUuid, parseUuid, UUID_WORDS } from './uuid-words.ts'

/** Ids by the order in which they were added. */
export interface IdTable {
  readonly length: number
  /** Its number; undefined if it is not there. */
  find(id: string): number | undefined
  /** Its number, a new one if it is not there yet. */
  add(id: string): number
  /** A new number for it: the one that it is found by from now on. */
  push(id: string): number
  /** The id with this number; empty if there is none. */
  at(number: number): string
  /** All ids that begin so, in order. */
  beginning(start: string): readonly string[]
}

/** What a table keeps: uuids as four numbers each, and other ids as they are. */
export interface IdColumns {
  readonly words: Column
  readonly others: Map<number, string>
}

/**
 * Takes in what the columns hold already. A uuid takes 16 bytes and about 8 of a hash table, where it took some 120 as a key
 * of a Map.
 */
export function createIdTable({ words, others }: IdColumns): IdTable {
  const numberByOther = new Map([...others].map(([number, id]) => [id, number]))
  const hashTable = createHashTable(words)
  const given = new Uint32Array(UUID_WORDS)
  const length = () => words.length / UUID_WORDS

  function find(id: string): number | undefined {
    return parseUuid(id, given) ? hashTable.find(given) : numberByOther.get(id)
  }

  function push(id: string): number {
    const number = length()
    const isUuid = parseUuid(id, given)
    for (const word of given) words.push(isUuid ? word : 0)
    if (isUuid) hashTable.add(number)
    else {
      others.set(number, id)
      numberByOther.set(id, number)
    }
    return number
  }

  const at = (number: number) =>
    others.get(number) ?? (number < length() ? formatUuid(words, number * UUID_WORDS) : '')

  for (let number = 0; number < length(); number++) if (!others.has(number)) hashTable.add(number)
  return {
    get length() {
      return length()
    },
    find,
    add: (id) => find(id) ?? push(id),
    push,
    at,
    beginning(start) {
      const mayBegin = beginsLike(start)
      const found: string[] = []
      for (let number = 0; number < length(); number++) {
        if (!others.has(number) && mayBegin?.(words.get(number * UUID_WORDS)) !== true) continue
        const id = at(number)
        if (id.startsWith(start)) found.push(id)
      }
      return found
    },
  }
}

/** Numbers by the words that a column has for them. */
function createHashTable(words: Column) {
  /** Each number plus one; a power of two long, and at most two thirds full. */
  let slots = new Uint32Array(16)
  let count = 0
  const own = new Uint32Array(UUID_WORDS)

  function has(number: number, wanted: Uint32Array): boolean {
    const start = number * UUID_WORDS
    for (let index = 0; index < UUID_WORDS; index++)
      if (words.get(start + index) !== wanted[index]) return false
    return true
  }

  /** The slot that has these words, or that they would take. */
  function slotOf(wanted: Uint32Array): number {
    const mask = slots.length - 1
    let slot = hash(wanted[0] ?? 0, wanted[3] ?? 0) & mask
    for (let held = slots[slot] ?? 0; held !== 0 && !has(held - 1, wanted); held = slots[slot] ?? 0)
      slot = (slot + 1) & mask
    return slot
  }

  function place(number: number): void {
    for (let index = 0; index < UUID_WORDS; index++) own[index] = words.get(number * UUID_WORDS + index)
    slots[slotOf(own)] = number + 1
  }

  return {
    add(number: number): void {
      if (++count * 3 > slots.length * 2) {
        const before = slots
        slots = new Uint32Array(2 * before.length)
        for (const held of before) if (held !== 0) place(held - 1)
      }
      place(number)
    },
    find(wanted: Uint32Array): number | undefined {
      const held = slots[slotOf(wanted)] ?? 0
      return held === 0 ? undefined : held - 1
    },
  }
}

/** Ids of a seed differ in a few places only: both ends count, and every bit of them. */
function hash(first: number, last: number): number {
  const mixed = Math.imul(first ^ Math.imul(last, 0x9e3779b1), 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
