/** Returns the lines of the error message. Returns an empty list if the promise resolves. */
export async function linesOf(rejected: Promise<unknown>): Promise<string[]> {
  return rejected.then(
    () => [],
    (error: unknown) => (error instanceof Error ? error.message.split('\n') : []),
  )
}
