/** First in, first out, without moving the rest at each step. */
export interface Queue<Value> {
  readonly length: number
  push(value: Value): void
  peek(): Value | undefined
  shift(): Value | undefined
  clear(): void
}

export function createQueue<Value>(): Queue<Value> {
  let values: Value[] = []
  let start = 0
  return {
    get length() {
      return values.length - start
    },
    push(value) {
      values.push(value)
    },
    peek: () => values[start],
    shift() {
      const value = values[start]
      if (start < values.length) start++
      if (start > 1_000 && start * 2 > values.length) {
        values = values.slice(start)
        start = 0
      }
      return value
    },
    clear() {
      values = []
      start = 0
    },
  }
}
