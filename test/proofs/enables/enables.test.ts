import { expect, test } from 'vitest'
import { tryRounds } from './try-rounds.ts'

test('of a hundred webhooks of a type that are enabled at once, exactly one is enabled, whatever the type', async () => {
  expect(await tryRounds(0, 8)).toEqual([])
})
