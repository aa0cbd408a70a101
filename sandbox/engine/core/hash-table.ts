import type { Column } from './column.ts'

/** Numbers by the words that a column has for them, so many for each number. */
export interface HashTable {
  /** From now on the words of this number lead to it. */
  add(number: number): void
  find(wanted: Uint32Array): number | undefined
}

/** About eight bytes a number beside its words. It begins with room for what the column holds, and empty. */
export function createHashTable(words: Column, width: number): HashTable {
  /** Each number plus one; a power of two long, and at most two thirds full. */
  let slots = new Uint32Array(16)
  let count = 0

  function widen(most: number): void {
    if (most * 3 <= slots.length * 2) return
    const before = slots
    slots = new Uint32Array(2 ** Math.ceil(Math.log2(most * 1.5 + 1)))
    for (const held of before) if (held !== 0) place(held - 1)
  }

  function place(number: number): void {
    const start = number * width
    const mask = slots.length - 1
    let slot = hash(words.get(start), words.get(start + width - 1)) & mask
    for (let held = slots[slot] ?? 0; held !== 0 && !isSame(held - 1, number); held = slots[slot] ?? 0)
      slot = (slot + 1) & mask
    slots[slot] = number + 1
  }

  function isSame(one: number, other: number): boolean {
    for (let index = 0; index < width; index++)
      if (words.get(one * width + index) !== words.get(other * width + index)) return false
    return true
  }

  function has(number: number, wanted: Uint32Array): boolean {
    for (let index = 0; index < width; index++)
      if (words.get(number * width + index) !== wanted[index]) return false
    return true
  }

  widen(words.length / width)
  return {
    add(number) {
      widen(++count)
      place(number)
    },
    find(wanted) {
      const mask = slots.length - 1
      let slot = hash(wanted[0] ?? 0, wanted[width - 1] ?? 0) & mask
      for (let held = slots[slot] ?? 0; held !== 0; held = slots[slot] ?? 0) {
        if (has(held - 1, wanted)) return held - 1
        slot = (slot + 1) & mask
      }
      return undefined
    },
  }
}

/** Ids of a seed differ in a few places only: both ends count, and every bit of them. */
function hash(first: number, last: number): number {
  const mixed = Math.imul(first ^ Math.imul(last, 0x9e3779b1), 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
