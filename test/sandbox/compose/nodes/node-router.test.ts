import { expect, test } from 'vitest'
import { toFetchHandler } from '../../../../sandbox/api/http/fetch-handler.ts'
import { createNodeRouter } from '../../../../sandbox/compose/nodes/node-router.ts'
import { CUT_CONNECTION, jsonResponse } from '../../../../sandbox/engine/core/http.ts'
import { WorldElsewhereError } from '../../../../sandbox/engine/state/world-directory.ts'
import { manualTime } from '../../../support/manual-time.ts'
import { worldRecord } from '../../../support/world-records.ts'

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
    nodes: {
      find: async () => ({
        name: 'b',
        serviceUrl: '',
        benchUrl: '',
        caPem: '',
        isAlive: true,
        aliveUntil: '',
      }),
    },
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
