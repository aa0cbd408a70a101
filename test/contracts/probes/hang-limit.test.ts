import { expect, test } from 'vitest'
import { createHangLimit } from '../../../contracts/probes/effect-probes.ts'

async function timeoutsOf(...works: readonly ('hangs' | 'fails' | 'ends')[]): Promise<readonly number[]> {
  let now = 0
  const limit = createHangLimit(30_000, { elapsed: () => now })
  const timeouts: number[] = []
  for (const work of works) {
    await limit(async (timeoutMs) => {
      timeouts.push(timeoutMs)
      if (work === 'ends') return
      if (work === 'hangs') now += timeoutMs
      throw new Error(work)
    }).catch(() => {})
  }
  return timeouts
}

test('a call gets a long timeout until its first hang and a short timeout afterwards', async () => {
  expect(await timeoutsOf('hangs', 'hangs', 'hangs')).toEqual([30_000, 2_000, 2_000])
})

test.each(['fails', 'ends'] as const)(
  'a call that %s early after a hang gets the full timeout again',
  async (how) => {
    expect(await timeoutsOf('hangs', how, 'hangs')).toEqual([30_000, 2_000, 30_000])
  },
)
