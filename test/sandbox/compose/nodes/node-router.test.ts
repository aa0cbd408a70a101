import { expect, test } from 'vitest'
import { toFetchHandler } from '../../../../sandbox/api/http/fetch-handler.ts'
import { NobodyThereError } from '../../../../sandbox/adapters/pass-on.ts'
import { createNodeRouter } from '../../../../sandbox/compose/nodes/node-router.ts'
import { CUT_CONNECTION, jsonResponse } from '../../../../sandbox/engine/core/http.ts'
import { StorageError } from '../../../../sandbox/engine/state/log.ts'
import { WorldElsewhereError } from '../../../../sandbox/engine/state/world-directory.ts'
import { manualTime } from '../../../support/manual-time.ts'
import { worldRecord } from '../../../support/world-records.ts'

const NODE_B = { name: 'b', serviceUrl: '', benchUrl: '', caPem: '', isAlive: true, aliveUntil: '' }

/** A router of node "a" for a world that node "b" has, which does not answer, until that can be opened here. */
function passingOn() {
  const [world, sent] = [worldRecord('shop'), Promise.withResolvers<void>()]
  let isHere = false
  const router = createNodeRouter({
    registry: {
      isOpen: () => isHere,
      serve: async () => {
        if (!isHere) throw new WorldElsewhereError(world, { node: 'b' })
        return jsonResponse(200, '{}')
      },
    },
    nodes: { find: async () => NODE_B },
    passOn: {
      send: (_request, _upstream, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(CUT_CONNECTION))
          sent.resolve()
        }),
    },
    realTime: manualTime(),
    node: 'a',
    nodeSecret: 'secret',
    serviceUrl: () => '',
  })
  const call = toFetchHandler((request) => router.serve(world, 'bench', request))
  return {
    call: (method: string) => call(new Request('http://sandbox.test/control/jobs', { method })),
    sent: sent.promise,
    takeOver() {
      isHere = true
      router.cutLeft(new Map([[world.id, 'a']]))
    },
  }
}

/** A router of node "a" for a world of node "b", which answers 200 as long as it is there, while PostgreSQL goes away. */
function withoutPostgres() {
  const [world, realTime, away] = [worldRecord('shop'), manualTime(), new StorageError('away', 'It is away')]
  const state = { isAway: false, isThere: true }
  const router = createNodeRouter({
    registry: {
      isOpen: () => false,
      serve: async () => {
        throw state.isAway ? away : new WorldElsewhereError(world, { node: 'b' })
      },
    },
    nodes: { find: async () => NODE_B },
    passOn: {
      send: async () => {
        if (!state.isThere) throw new NobodyThereError('Nobody is there')
        return jsonResponse(200, '{}')
      },
    },
    realTime,
    node: 'a',
    nodeSecret: 'secret',
    serviceUrl: () => '',
  })
  const call = toFetchHandler((request) => router.serve(world, 'bench', request))
  return {
    state,
    pass: realTime.move,
    read: async () => (await call(new Request('http://sandbox.test/control/jobs'))).status,
  }
}

test('while PostgreSQL is away, a call goes to the node that had the world last', async () => {
  const { state, pass, read } = withoutPostgres()
  const before = await read()
  pass(60_000)
  state.isAway = true

  expect([before, await read(), await read()]).toEqual([200, 200, 200])
})

test('while PostgreSQL is away and the node that had the world is gone, a call is told so each time', async () => {
  const { state, pass, read } = withoutPostgres()
  await read()
  pass(60_000)
  Object.assign(state, { isAway: true, isThere: false })

  expect([await read(), await read()]).toEqual([503, 503])
  state.isThere = true
  expect(await read()).toBe(200)
})

test('while PostgreSQL is away, a world of which it is not known who had it is not shown', async () => {
  const { state, read } = withoutPostgres()
  state.isAway = true

  expect(await read()).toBe(503)
})

test('who only reads is told to try again when the node has the world no more', async () => {
  const { call, sent, takeOver } = passingOn()
  const answer = call('GET')
  await sent
  takeOver()
  const { status, headers } = await answer
  expect([status, headers.get('retry-after')]).toEqual([503, '1'])
})

test('what may have changed something at the node that had the world is cut off, and not done twice', async () => {
  const { call, sent, takeOver } = passingOn()
  const answer = call('POST')
  await sent
  takeOver()
  expect((await answer).type).toBe('error')
})
