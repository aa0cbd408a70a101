/** Returns the lines of the rejection, or none. */
export async function linesOf(rejected: Promise<unknown>): Promise<string[]> {
  return rejected.then(
    () => [],
    (error: unknown) => (error instanceof Error ? error.message.split('\n') : []),
  )
}
