import { createHashTable } from '../core/hash-table.ts'
import type { IndexData } from './index-data.ts'

/** The number of an object by its other ids. */
export interface Aliases {
  get(alias: string): number | undefined
  set(alias: string, number: number): void
}

const LONGEST_WHOLE_NUMBER = String(2 ** 32 - 1).length

/** Most are whole numbers, which take 16 bytes; the others are kept in a Map. */
export function createAliases(data: IndexData, name: string): Aliases {
  const keys = data.column(`${name}/keys`, 'u32')
  const numbers = data.column(`${name}/numbers`, 'u32')
  const others = data.map<string, number>(name)
  const table = createHashTable(keys, 1)
  const key = new Uint32Array(1)
  for (let place = 0; place < keys.length; place++) table.add(place)

  function isWholeNumber(alias: string): boolean {
    if (alias.length > LONGEST_WHOLE_NUMBER) return false
    key[0] = Number(alias)
    return String(key[0]) === alias
  }

  return {
    get(alias) {
      if (!isWholeNumber(alias)) return others.get(alias)
      const place = table.find(key)
      return place === undefined ? undefined : numbers.get(place)
    },
    set(alias, number) {
      if (!isWholeNumber(alias)) return void others.set(alias, number)
      const place = table.find(key)
      if (place !== undefined) return numbers.set(place, number)
      keys.push(key[0] ?? 0)
      numbers.push(number)
      table.add(keys.length - 1)
    },
  }
}
