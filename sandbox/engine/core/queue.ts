export type Queue<Value> = ReturnType<typeof createQueue<Value>>

/** Creates a first-in, first-out queue. Taking a value does not move the other values in memory. */
export function createQueue<Value>() {
  let values: Value[] = []
  let start = 0
  return {
    get length(): number {
      return values.length - start
    },
    push(value: Value): void {
      values.push(value)
    },
    peek: (): Value | undefined => values[start],
    shift(): Value | undefined {
      const value = values[start]
      if (start < values.length) start++
      if (start > 1_000 && start * 2 > values.length) {
        values = values.slice(start)
        start = 0
      }
      return value
    },
  }
}
