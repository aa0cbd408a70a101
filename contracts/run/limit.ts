/** Lets at most so many run at a time, in the order in which they come. */
export function createLimit(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    underWay++
    try {
      return await work()
    } finally {
      underWay--
      waiting.shift()?.()
    }
  }
}
