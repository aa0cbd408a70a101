import { expect, test } from 'vitest'
import { createObjectTurns } from '../../../contracts/load/generate-load.ts'

test('notifications of one object wait for each other, those of other objects do not', async () => {
  const inTurn = createObjectTurns()
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<void>((resolve) => ends.set(name, resolve))
  }
  const turns = [
    inTurn('items 1', work('a')),
    inTurn('items 1', work('b')),
    inTurn('items 2', work('c')),
    inTurn('items 1', work('d')),
  ]
  expect(begun).toEqual(['a', 'c'])

  ends.get('a')?.()
  await turns[0]
  expect(begun).toEqual(['a', 'c', 'b'])

  ends.get('b')?.()
  await turns[1]
  expect(begun).toEqual(['a', 'c', 'b', 'd'])
})
