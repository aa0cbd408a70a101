import type { Column } from './column.ts'

/** Numbers by the words that a column has for them, so many for each number. */
export interface HashTable {
  /** From now on the words of this number lead to it. */
  add(number: number): void
  find(wanted: Uint32Array): number | undefined
}

/** About eight bytes a number beside its words. */
export function createHashTable(words: Column, width: number): HashTable {
  /** Each number plus one; a power of two long, and at most two thirds full. */
  let slots = new Uint32Array(16)
  let count = 0
  const own = new Uint32Array(width)

  function has(number: number, wanted: Uint32Array): boolean {
    const start = number * width
    for (let index = 0; index < width; index++) if (words.get(start + index) !== wanted[index]) return false
    return true
  }

  /** The slot that has these words, or that they would take. */
  function slotOf(wanted: Uint32Array): number {
    const mask = slots.length - 1
    let slot = hash(wanted[0] ?? 0, wanted[width - 1] ?? 0) & mask
    for (let held = slots[slot] ?? 0; held !== 0 && !has(held - 1, wanted); held = slots[slot] ?? 0)
      slot = (slot + 1) & mask
    return slot
  }

  function place(number: number): void {
    for (let index = 0; index < width; index++) own[index] = words.get(number * width + index)
    slots[slotOf(own)] = number + 1
  }

  return {
    add(number) {
      if (++count * 3 > slots.length * 2) {
        const before = slots
        slots = new Uint32Array(2 * before.length)
        for (const held of before) if (held !== 0) place(held - 1)
      }
      place(number)
    },
    find(wanted) {
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
