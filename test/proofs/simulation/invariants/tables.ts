import type { Invariant } from './invariant.ts'

export const tables: Invariant = {
  id: 'I-tables',
  about: 'at the end every row of the store is what follows from its history',
  check: ({ storeProblems }) => storeProblems,
}
