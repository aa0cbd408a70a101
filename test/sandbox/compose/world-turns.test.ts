import { expect, test } from 'vitest'
import { createWorldTurns } from '../../../sandbox/compose/world-turns.ts'

/** Turns of the loop and a time that only the test moves. */
function turning() {
  const soon: (() => void)[] = []
  let elapsed = 0
  const begun: string[] = []
  const turns = createWorldTurns({ soon: (run) => soon.push(run), elapsed: () => elapsed })
  return {
    begun,
    turns,
    async begin(world: string, times = 1) {
      for (let count = 0; count < times; count++) {
        const turn = turns.take(world)
        if (turn) void turn.then(() => begun.push(world))
        else begun.push(world)
      }
    },
    async turn() {
      for (const run of soon.splice(0)) run()
      await Promise.resolve()
    },
    pass(ms: number) {
      elapsed += ms
    },
  }
}

test('a world that nothing happens beside never waits', async () => {
  const { begun, begin } = turning()
  await begin('a', 50)
  expect(begun).toHaveLength(50)
})

test('a world beside a busy one begins at once, and the busy one as much as its share in each turn', async () => {
  const { begun, begin, turn } = turning()
  await begin('a')
  await begin('b')
  await begin('a', 50)
  await turn()
  begun.splice(0)
  await begin('b')
  expect(begun).toEqual(['b'])
  await turn()
  await turn()
  expect(begun).toEqual(['b', 'a', 'a', 'a', 'a'])
  for (let count = 0; count < 50; count++) await turn()
  expect(begun.filter((world) => world === 'a').length).toBe(46)
})

test('a world waits no more when the others were at rest for a while', async () => {
  const { begun, begin, turn, pass } = turning()
  await begin('a')
  await begin('b')
  for (let count = 0; count < 5; count++) await turn()
  pass(2_000)
  await begin('b', 50)
  expect(begun).toHaveLength(52)
})
