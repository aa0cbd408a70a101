import type { Column } from './column.ts'
import { createHashTable } from './hash-table.ts'
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
  const hashTable = createHashTable(words, UUID_WORDS)
  const given = new Uint32Array(UUID_WORDS)
  const length = () => words.length / UUID_WORDS
  const recent = createRecentTexts()
  const pushed = createRecentNumbers()

  /** The uuid with this number, which is there. */
  function uuidAt(number: number): string {
    let place = number * UUID_WORDS
    return formatUuid(() => words.get(place++))
  }

  function find(id: string): number | undefined {
    return pushed.get(id) ?? (parseUuid(id, given) ? hashTable.find(given) : numberByOther.get(id))
  }

  function push(id: string): number {
    const number = length()
    const isUuid = parseUuid(id, given)
    for (const word of given) words.push(isUuid ? word : 0)
    recent.keep(number, id)
    pushed.keep(id, number)
    if (isUuid) hashTable.add(number)
    else {
      others.set(number, id)
      numberByOther.set(id, number)
    }
    return number
  }

  const at = (number: number) =>
    recent.get(number) ?? others.get(number) ?? (number < length() ? recent.keep(number, uuidAt(number)) : '')

  for (let number = 0; number < length(); number++) if (!others.has(number)) hashTable.add(number)
  return {
    get length() {
      return length()
    },
    find,
    add: (id) => find(id) ?? push(id),
    push,
    at,
    beginning: (start) => listBeginning(start, { words, others, length: length(), at }),
  }
}

interface NumberedIds extends IdColumns {
  readonly length: number
  at(number: number): string
}

/** Most ids are told by their first word, without being put together. */
function listBeginning(start: string, { words, others, length, at }: NumberedIds): readonly string[] {
  const mayBegin = beginsLike(start)
  const found: string[] = []
  for (let number = 0; number < length; number++) {
    if (!others.has(number) && mayBegin?.(words.get(number * UUID_WORDS)) !== true) continue
    const id = at(number)
    if (id.startsWith(start)) found.push(id)
  }
  return found
}

const MOST_RECENT = 1_024

/** Texts by their numbers, which never change, so that the same few are not put together again and again. */
function createRecentTexts() {
  const numbers = new Int32Array(MOST_RECENT).fill(-1)
  const texts: string[] = []
  return {
    get: (number: number) =>
      numbers[number % MOST_RECENT] === number ? texts[number % MOST_RECENT] : undefined,
    keep(number: number, text: string): string {
      numbers[number % MOST_RECENT] = number
      texts[number % MOST_RECENT] = text
      return text
    },
  }
}

/** The numbers of what was added last: most that is looked for was added just before. */
function createRecentNumbers() {
  let numbers = new Map<string, number>()
  let before = numbers
  return {
    get: (id: string) => numbers.get(id) ?? before.get(id),
    keep(id: string, number: number): void {
      if (numbers.size >= MOST_RECENT) [before, numbers] = [numbers, new Map()]
      numbers.set(id, number)
    },
  }
}
