/** What is posted outside deliveries: test messages, and what was crafted. */
export interface InFlightCounter {
  /** How many are under way. */
  readonly count: number
  during<Result>(post: () => Promise<Result>): Promise<Result>
}

export function createInFlightCounter(): InFlightCounter {
  let count = 0
  return {
    get count() {
      return count
    },
    async during(post) {
      count++
      try {
        return await post()
      } finally {
        count--
      }
    },
  }
}
