import { expect, test } from 'vitest'
import { testSeed } from '../../support/test-seed.ts'
import { regressionSeeds } from '../results.ts'
import { tryCases } from './try-cases.ts'

test('no generated request crashes or blocks a listener or leaks memory', async () => {
  const drawn = Array.from({ length: 150 }, (_, index) => testSeed + index)
  const { refused, failures } = await tryCases([...regressionSeeds('hostile'), ...drawn])

  expect(failures).toEqual([])
  expect(refused).toBeGreaterThan(200)
})
