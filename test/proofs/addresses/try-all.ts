import { openSentinel } from './sentinel.ts'
import type { Spelling } from './spellings.ts'
import { trySpelling } from './try-spelling.ts'

/** Tries each spelling at every door; a line for each that was not refused. */
export async function trySpellings(spellings: readonly Spelling[]): Promise<readonly string[]> {
  const sentinel = await openSentinel()
  const failures: string[] = []
  try {
    for (const spelling of spellings) {
      const problems = await trySpelling(spelling, sentinel)
      if (problems.length > 0) failures.push(`${spelling.host} (${spelling.address}): ${problems.join('; ')}`)
    }
    return failures
  } finally {
    sentinel.close()
  }
}
