import { expect, test } from 'vitest'
import { createRecentEntries } from '../../../../sandbox/adapters/sqlite/recent-entries.ts'

const entry = (body: string) => ({ head: { kind: 'clock', at: 1 } as const, body })

test('the entries that were written last are kept, as many as there is room for', () => {
  const recent = createRecentEntries({ entries: 2, characters: 100 })

  for (const position of [1, 2, 3]) recent.add(position, entry(`${position}`))

  expect([1, 2, 3].map((position) => recent.get(position)?.body)).toEqual([undefined, '2', '3'])
})

test('long ones take the place of many', () => {
  const recent = createRecentEntries({ entries: 100, characters: 100 })
  recent.add(1, entry('x'.repeat(60)))
  recent.add(2, entry('x'.repeat(60)))
  recent.add(3, entry('x'.repeat(200)))

  expect([1, 2, 3].map((position) => recent.get(position))).toEqual([undefined, undefined, undefined])
})

test('none is left once they were cleared', () => {
  const recent = createRecentEntries()
  recent.add(1, entry('a'))

  recent.clear()

  expect(recent.get(1)).toBeUndefined()
})
