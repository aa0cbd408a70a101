import { expect, test } from 'vitest'
import { tryCases } from './try-cases.ts'

test('no generated request makes a listener fail, stall or keep anything of it', async () => {
  const { refused, failures } = await tryCases(0, 150)

  expect(failures).toEqual([])
  // Nearly all of them are bad.
  expect(refused).toBeGreaterThan(200)
})
