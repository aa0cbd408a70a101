import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import { createListSearch } from '../../../../sandbox/dashboard/activity/activity-view.ts'

/** Creates a search in which each block of five hundred jobs takes `partMs`. */
function search(partMs: number) {
  const soon: (() => void)[] = []
  const asked: number[] = []
  let now = 0
  const length = signal(2_000)
  const found = createListSearch(
    () => ({
      length: length.value,
      list(start, end) {
        asked.push(start)
        now += partMs
        return Array.from({ length: Math.min(end, length.value) - start }, (_, index) => start + index)
      },
    }),
    { soon: (run) => soon.push(run), elapsed: () => now },
  )
  return {
    found,
    length,
    asked,
    async next() {
      soon.shift()?.()
      await Promise.resolve()
    },
  }
}

test('a change to the list restarts a running dashboard search', async () => {
  const { found, length, next, asked } = search(10)
  await next()

  length.value = 1_000
  for (let part = 0; part < 5; part++) await next()

  expect(found.value).toHaveLength(1_000)
  expect(asked).toEqual([0, 500, 1_000, 1_500, 0, 500])
})
