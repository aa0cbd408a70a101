import { afterEach, expect, test } from 'vitest'
import {
  createHangLimit,
  openEffectProbe,
  type OpenEffectProbe,
} from '../../../contracts/probes/effect-probes.ts'
import type { EffectOptions } from '../../../contracts/toolkit/options.ts'
import { ProbeError } from '../../../contracts/toolkit/ports.ts'
import { testAuthority } from '../../support/certificates.ts'
import { serveHttp } from '../../support/scripted-server.ts'

const open: { close(): unknown }[] = []

afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function opened(options: EffectOptions, trusted: readonly string[] = []): Promise<OpenEffectProbe> {
  const probe = await openEffectProbe(options, { trusted })
  open.push(probe)
  return probe
}

async function page(answers: Readonly<Record<string, string>>): Promise<string> {
  const server = await serveHttp(({ url = '' }, response) => {
    const body = answers[url]
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  open.push(server)
  return server.origin
}

test('the effects page URL contains the escaped object type and ID', async () => {
  const origin = await page({
    '/items/a%2Fb':
      '{"effects":2,"state":"completed","amount":120000,"currency":"AUD","user_id":"u1","account_id":17}',
  })

  const { probe } = await opened({ kind: 'http', url: `${origin}/{object_type}/{id}` })

  expect(await probe('items', 'a/b')).toEqual({
    effects: 2,
    state: 'completed',
    amount: 120_000,
    currency: 'AUD',
    user_id: 'u1',
    account_id: '17',
  })
})

test.each([
  [
    '"effects" takes the number of times that your platform acted on the object, as a whole number (0 or more), not -1',
    '{"effects":-1,"state":null}',
  ],
  ['"state" is missing: ', '{"effects":1}'],
  [
    '"state" takes the state of the object on your platform, in the words of the service, or null, not 7',
    '{"effects":1,"state":7}',
  ],
  [
    '"account_id" takes the id of an account at the service, not 1.5',
    '{"effects":1,"state":null,"account_id":1.5}',
  ],
  ['"<html>" is not JSON', '<html>'],
  ['your platform answered 404', undefined],
])('the effects probe reports the error %s when the effects page contains %s', async (problem, body) => {
  const origin = await page(body === undefined ? {} : { '/items/1': body })
  const { probe } = await opened({ kind: 'http', url: `${origin}/{object_type}/{id}` })

  const reading = probe('items', '1')

  await expect(reading).rejects.toThrow(ProbeError)
  await expect(reading).rejects.toThrow(`effects.http at ${origin}/items/1: `)
  await expect(reading).rejects.toThrow(problem)
})

test('an HTTPS effects page requires a certificate of a trusted CA', async () => {
  const authority = await testAuthority()
  const certificate = await authority.issue({ hosts: ['127.0.0.1'] })
  const server = await serveHttp((_, response) => response.end('{"effects":1,"state":null}'), certificate)
  open.push(server)
  const url = `https://127.0.0.1:${server.port}/{object_type}/{id}`

  const trusting = await opened({ kind: 'http', url }, [authority.pem])
  const other = await opened({ kind: 'http', url })

  expect(await trusting.probe('items', '1')).toEqual({ effects: 1, state: null })
  await expect(other.probe('items', '1')).rejects.toThrow(
    /comes from a CA that is not trusted .*"npx hookbench cert 127\.0\.0\.1".*receiver\.ca/,
  )
})

test('the error about an unreachable effects page names the error code, the host and the port', async () => {
  const { origin, close } = await serveHttp(() => {})
  await close()
  const { probe } = await opened({ kind: 'http', url: `${origin}/{object_type}/{id}` })

  const peer = new URL(origin).host
  await expect(probe('items', '1')).rejects.toThrow(
    `Cannot read effects.http at ${origin}/items/1: nothing listens on ${peer} (ECONNREFUSED). Start your platform, or correct the URL in "effects.http"`,
  )
})

test.each<readonly [what: string, options: EffectOptions, error: string]>([
  [
    'names the object when an effects function throws',
    { kind: 'function', read: () => Promise.reject(new TypeError('no such table')) },
    'Cannot read effects.function: the function threw "no such table" for items "1". Return a value such as {"effects": 1',
  ],
  [
    'names the timeout when an effects function never returns',
    { kind: 'function', read: () => new Promise<never>(() => {}) },
    'Cannot read effects.function: the function did not end within 20 ms for items "1". Return a value such as {"effects": 1',
  ],
])('the error of the effects probe %s', async (_, ...[options, error]) => {
  const { probe } = await openEffectProbe(options, { timeoutMs: 20 })

  await expect(probe('items', '1')).rejects.toThrow(ProbeError)
  await expect(probe('items', '1')).rejects.toThrow(error)
})

test('the effects probe fails after its timeout when the page does not respond', async () => {
  const server = await serveHttp(() => {})
  const { origin } = server
  open.push(server)
  const url = `${origin}/{object_type}/{id}`
  const { probe } = await openEffectProbe({ kind: 'http', url }, { timeoutMs: 20 })

  await expect(probe('items', '1')).rejects.toThrow(ProbeError)
  await expect(probe('items', '1')).rejects.toThrow(`${new URL(origin).host} did not answer in time`)
})

test('an effects command receives the object type and ID unchanged', async () => {
  const command = `node -e 'console.log(JSON.stringify({effects:1,state:process.argv.slice(1).join(" ")}))'`

  const { probe } = await opened({ kind: 'command', command })

  expect(await probe('items', `a'b $(id)`)).toEqual({ effects: 1, state: `items a'b $(id)` })
})

test('the effects sink counts each posted effect and rejects invalid posts', async () => {
  const { probe, sinkUrl = '' } = await opened({ kind: 'sink', port: 0 })
  const post = async (body: unknown) =>
    (await fetch(sinkUrl, { method: 'POST', body: JSON.stringify(body) })).status

  const statuses = [
    await post({ object_type: 'items', id: 'a', state: 'pending' }),
    await post({ object_type: 'items', id: 'a', state: 'completed', amount: 1200, user_id: 'u1' }),
    await post({ object_type: 'items' }),
    await post('items'),
  ]

  expect(statuses).toEqual([204, 204, 400, 400])
  expect(await probe('items', 'a')).toEqual({
    effects: 2,
    state: 'completed',
    amount: 1_200,
    user_id: 'u1',
  })
  expect(await probe('items', 'b')).toEqual({ effects: 0, state: null })
})

test('the effects sink names the invalid field and value and fails the run when a post is invalid', async () => {
  const { probe, sinkUrl = '' } = await opened({ kind: 'sink', port: 0 })

  const body = JSON.stringify({ object_type: 'items', id: 'a', state: 'completed', amount: '12.00' })
  const answer = await fetch(sinkUrl, { method: 'POST', body })

  expect(await answer.json()).toEqual({
    error: expect.stringContaining('"amount" takes an amount in minor units, such as 120000, not "12.00"'),
  })
  await expect(probe('items', 'a')).rejects.toThrow('on items "a" that was posted to effects.sink: "amount"')
  expect(await probe('items', 'b')).toEqual({ effects: 0, state: null })
})

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

test.each([
  ['gets a long timeout until its first hang and a short timeout afterwards', 'hangs', 2_000],
  ['that fails early after a hang gets the full timeout again', 'fails', 30_000],
  ['that ends early after a hang gets the full timeout again', 'ends', 30_000],
] as const)('a call %s', async (_, how, lastMs) => {
  expect(await timeoutsOf('hangs', how, 'hangs')).toEqual([30_000, 2_000, lastMs])
})
