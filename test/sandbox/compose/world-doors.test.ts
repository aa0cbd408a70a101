import { expect, test } from 'vitest'
import { createWorldDoors } from '../../../sandbox/compose/world-doors.ts'
import { createWorldTurns } from '../../../sandbox/compose/world-turns.ts'
import { toFetchHandler } from '../../../sandbox/api/http/fetch-handler.ts'
import { jsonResponse, type RequestHandler } from '../../../sandbox/engine/core/http.ts'
import { createMemoryWorlds } from '../../support/stores.ts'
import { WorldGoneError } from '../../../sandbox/engine/state/world-directory.ts'
import { createTranslator } from '../../../spec/vocabulary.ts'
import { manualTime } from '../../support/manual-time.ts'
import { worldRecord } from '../../support/world-records.ts'

/** Doors before a world that is removed after it was found, and before it is opened. */
async function leaving() {
  const [world, directory, realTime] = [worldRecord('shop'), createMemoryWorlds(), manualTime()]
  await directory.add(world)
  const inDefault: RequestHandler = async ({ path }) => jsonResponse(200, JSON.stringify({ default: path }))
  const doors = createWorldDoors({
    directory,
    registry: {
      isOpen: () => true,
      serve: async () => {
        throw new WorldGoneError(world)
      },
    },
    realTime,
    fallback: { service: inDefault, bench: inDefault },
    turns: createWorldTurns({ soon: queueMicrotask, elapsed: realTime.elapsed }),
    rootToken: 'root',
    translator: createTranslator(),
    onError() {},
  })
  return { world, bench: toFetchHandler(doors.bench), service: toFetchHandler(doors.service) }
}

const reset = (headers: Readonly<Record<string, string>>) =>
  new Request('http://sandbox.test/control/reset', { method: 'POST', headers })

test('what is meant for a world that is removed meanwhile is not done in the default one', async () => {
  const { bench } = await leaving()
  const answer = await bench(reset({ authorization: 'Bearer root', 'hookbench-world': 'shop' }))
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { code: 'unknown_world' } })
})

test('who has only what opened the removed world is left to the default one, which does not know it', async () => {
  const { bench, service, world } = await leaving()
  const { email, api_token } = world.credentials
  const user = Buffer.from(`${email}:${api_token}`).toString('base64')
  const answers = [
    await bench(reset({ authorization: `Bearer ${world.controlToken}` })),
    await service(
      new Request('http://sandbox.test/items/1', { headers: { authorization: `Basic ${user}` } }),
    ),
  ]
  expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
    { default: '/control/reset' },
    { default: '/items/1' },
  ])
})
