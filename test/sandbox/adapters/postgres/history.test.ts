import { expect, test } from 'vitest'
import { findProblems, type RowChange, type Write } from '../../../proofs/postgres/history.ts'
import { tryCase } from '../../../proofs/postgres/try-case.ts'
import { describePostgres } from '../../../support/postgres-tests.ts'

describePostgres('two nodes on one world', (bench) => {
  test.each([0, 1, 2, 3, 4])(
    'lose nothing and never both append, whatever is cut (case %i)',
    async (number) => {
      expect(await tryCase(bench.server, number)).toBeUndefined()
    },
  )
})

const kept = (ids: readonly number[], [beganAt, endedAt]: readonly [number, number]): Write => ({
  kind: 'append',
  ids,
  beganAt,
  endedAt,
  outcome: 'kept',
})
const FIRST = kept([1, 2], [1, 2])
const SECOND = kept([3], [3, 4])
const change = (epoch: number, changes: Partial<RowChange> = {}): RowChange => ({
  epoch,
  holder: `holder ${epoch}`,
  generation: 1,
  length: epoch,
  ...changes,
})

interface Spoilt {
  readonly writes?: readonly Write[]
  readonly changes?: readonly RowChange[]
  readonly ids?: readonly number[]
}

const SPOILT: readonly (readonly [problem: string, history: Spoilt])[] = [
  ['append of 3 was kept, and is not there', { writes: [FIRST, SECOND], ids: [1, 2] }],
  ['append of 1, 2 is there in part', { writes: [FIRST], ids: [1] }],
  ['an entry is there twice', { writes: [SECOND], ids: [3, 3] }],
  ['entry 9 is from nowhere', { ids: [9] }],
  ['entry 3 was refused, and is there', { writes: [{ ...SECOND, outcome: 'refused' }], ids: [3] }],
  ['entry 1 had ended before 3 began, and stands behind it', { writes: [FIRST, SECOND], ids: [3, 1, 2] }],
  ['epoch 1 wrote after 2', { changes: [change(2), change(1)] }],
  ['epoch 1 has two holders', { changes: [change(1), change(1, { holder: 'another' })] }],
  ['something was written by nobody', { changes: [change(1), change(1, { holder: null, length: 2 })] }],
  ['the world became shorter', { changes: [change(2), change(3, { length: 1 })] }],
]

test.each(SPOILT)('findProblems() says: %s', (problem, { writes = [], changes = [], ids = [] }) => {
  expect(findProblems(writes, changes, ids)).toContain(problem)
})

test('findProblems() finds nothing where all is well', () => {
  const unknown: Write = { ...kept([4], [5, Infinity]), outcome: 'unknown' }

  expect(findProblems([FIRST, SECOND, unknown], [change(1), change(2)], [1, 2, 3, 4])).toEqual([])
  expect(findProblems([FIRST, SECOND, unknown], [change(1), change(2)], [1, 2, 3])).toEqual([])
})
