import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import express from 'express'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { createSandbox, toReceiver } from '../../../sandbox/index.ts'

type Kept = Record<string, unknown>[]

function expressShop(kept: Kept) {
  const app = express().use(express.json())
  app.post('/hooks/:type', ({ params, body, protocol, hostname }, response) => {
    kept.push({ type: params.type, body, protocol, hostname })
    response.set('x-by', 'express').sendStatus(204)
  })
  return app
}

function fastifyShop(kept: Kept) {
  const app = fastify()
  app.post('/hooks/:type', async ({ params, body, protocol, hostname }, reply) => {
    kept.push({ ...(params as object), body, protocol, hostname })
    return reply.code(202).send({ taken: true })
  })
  return app
}

function nodeShop(kept: Kept) {
  return async (request: IncomingMessage, response: ServerResponse) => {
    const type = request.url?.split('/').at(-1)
    kept.push({
      type,
      body: JSON.parse(await text(request)),
      protocol: 'https',
      hostname: request.headers.host,
    })
    response.writeHead(200).end('taken')
  }
}

test.each([
  ['an Express application', expressShop, 204],
  ['a Fastify application', fastifyShop, 202],
  ['a listener of node:http', nodeShop, 200],
] as const)('%s works as a receiver in the sandbox', async (_, createShop, status) => {
  const kept: Kept = []
  const app = createShop(kept)
  await using sandbox = await createSandbox({
    receivers: {
      items: toReceiver(app, { path: '/hooks/items' }),
      users: toReceiver(app, { path: '/hooks/users' }),
    },
  })

  const user = await sandbox.create('users')
  const item = await sandbox.create('items', { amount: 1200 })

  const about = { object_type: 'items', object_id: item.id } as const
  expect(await sandbox.expectDelivery(about)).toMatchObject({ status, reason: null })
  expect(kept.map(({ body: _body, ...rest }) => rest)).toEqual(
    // The receiver gets two test POSTs, then two notifications.
    ['items', 'users', 'users', 'items'].map((type) => ({
      type,
      protocol: 'https',
      hostname: 'receiver.test',
    })),
  )
  expect(kept.slice(2).map(({ body }) => body)).toEqual([{ users: user }, { items: item }])
})

test('toReceiver() without a path passes the path of the registered URL to the receiver', async () => {
  const paths: (string | undefined)[] = []
  const receive = toReceiver((request, response) => {
    paths.push(request.url)
    response.end()
  })

  await using sandbox = await createSandbox({ receivers: { items: receive } })

  const [registration] = await sandbox.registrations()
  expect(paths).toEqual([new URL(registration?.url ?? '').pathname])
})

test('toReceiver() returns the status, headers and body of the listener', async () => {
  const receive = toReceiver((_, response) => {
    response.writeHead(503, { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] }).end('later')
  })

  const answer = await receive(new Request('https://receiver.test/x?y=1', { method: 'POST', body: '{}' }))

  expect([
    answer.status,
    answer.headers.get('retry-after'),
    answer.headers.getSetCookie(),
    await answer.text(),
  ]).toEqual([503, '7', ['a=1', 'b=2'], 'later'])
})

const throwing = () => {
  throw new Error('out of paper')
}
const hangUp = (_: IncomingMessage, { socket }: ServerResponse) => socket?.destroy()

test.each([
  ['throws', throwing, 'threw: out of paper'],
  ['rejects', () => Promise.reject(new Error('out of ink')), 'threw: out of ink'],
  ['hangs up', hangUp, 'threw: socket hang up'],
] as const)('a listener that %s ends the connection without a response', async (_, listener, message) => {
  let isUp = true
  const receive = toReceiver((request, response) => (isUp ? response.end() : listener(request, response)))
  await using sandbox = await createSandbox({ receivers: { items: receive } })

  isUp = false
  await sandbox.create('items')

  expect(await sandbox.expectDelivery()).toMatchObject({ status: null, reason: 'closed_without_response' })
  const [job] = sandbox.jobs()
  expect(job && sandbox.attempts(job)[0]?.head.message).toContain(message)
})

test.each([
  [() => toReceiver(Reflect.get({}, 'app')), 'Cannot make a receiver of a value of type undefined'],
  [() => toReceiver(() => {}, { path: 'hooks' }), 'Cannot make a receiver at path "hooks"'],
  [() => toReceiver(() => {}, Object.fromEntries([['pth', '/']])), 'a receiver with option "pth"'],
])('toReceiver() rejects an invalid application, path or option: %s', (make, message) => {
  expect(make).toThrow(message)
})
