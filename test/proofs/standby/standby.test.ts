// @module-tag postgresql
import { expect, test } from 'vitest'
import { tryCases } from './try-cases.ts'

test('a standby pair loses no change and records every repeated delivery after a kill or freeze', async () => {
  const failures: string[] = []
  const cases = [
    { number: 0, kind: 'kill' },
    { number: 1, kind: 'freeze' },
  ] as const
  await tryCases(cases, (tried) => failures.push(...tried.failures))

  expect(failures).toEqual([])
})
