import type { UnlistedDefect } from './edits.ts'
import { workingDefects } from './what-it-does.ts'
import { readingDefects } from './what-it-reads.ts'

/** Mistakes that no listed check names. */
export const UNLISTED_DEFECTS: readonly UnlistedDefect[] = [...readingDefects, ...workingDefects]
