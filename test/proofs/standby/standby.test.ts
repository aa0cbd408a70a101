// @module-tag postgresql
import { expect, test } from 'vitest'
import { tryCases } from './try-cases.ts'

test('no change is lost, sent twice without a record or written by two when the active process is killed or frozen', async () => {
  const failures: string[] = []
  const cases = [
    { number: 0, kind: 'kill' },
    { number: 1, kind: 'freeze' },
  ] as const
  await tryCases(cases, (tried) => failures.push(...tried.failures))

  expect(failures).toEqual([])
})
