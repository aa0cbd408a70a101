/** The message that a promise is rejected with, in lines; none if it is not. */
export async function linesOf(rejected: Promise<unknown>): Promise<string[]> {
  return rejected.then(
    () => [],
    (error: unknown) => (error instanceof Error ? error.message.split('\n') : []),
  )
}
