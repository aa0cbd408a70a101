import { expect, test } from 'vitest'
import { tryCases } from './try-cases.ts'
import { UNAVAILABLE } from './unavailable.ts'

test('no change is lost, sent twice without a record or written by two when an owner is killed or stopped', async ({
  skip,
}) => {
  skip(UNAVAILABLE !== undefined, UNAVAILABLE)
  const failures: string[] = []
  const cases = [
    { number: 0, kind: 'kill' },
    { number: 1, kind: 'stop' },
  ] as const
  await tryCases(cases, (tried) => failures.push(...tried.failures))

  expect(failures).toEqual([])
})
