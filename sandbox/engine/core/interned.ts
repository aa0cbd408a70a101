/** Values that repeat, by small numbers. */
export interface Interned<Value> {
  /** The number of the value, a new one if it has none yet. */
  numberOf(value: Value): number
  /** Throws RangeError if there is none. */
  at(number: number): Value
  /** By their numbers. */
  readonly values: readonly Value[]
}

/** Takes in what the list holds already, and adds to it. Values with the same key are the same. */
export function createInterned<Value>(values: Value[], toKey: (value: Value) => string): Interned<Value> {
  const numberByKey = new Map(values.map((value, number) => [toKey(value), number]))
  return {
    numberOf(value) {
      const key = toKey(value)
      const known = numberByKey.get(key)
      if (known !== undefined) return known
      numberByKey.set(key, values.length)
      return values.push(value) - 1
    },
    at(number) {
      const value = values[number]
      if (value === undefined) throw new RangeError(`There is no value ${number}: there are ${values.length}`)
      return value
    },
    values,
  }
}
