import { expect, test } from 'vitest'
import { careful } from '../support/careful.ts'
import { asking } from '../support/careless.ts'
import { TOKEN } from '../support/check-context.ts'
import type { Receive } from '../support/scripted-receiver.ts'
import { findingOf } from '../support/verdicts.ts'

test('the check trust/other-url-token is not observable when the URL has no token', async () => {
  const template = 'https://receiver.test/payment-notification-receiver/{object_type}'

  expect(await findingOf('trust/other-url-token', { template })).toMatchObject({
    kind: 'not-observable',
  })
})

test('the check trust/other-url-token sends requests with a changed, a shortened, an upper-case and a missing URL token', async () => {
  const segments: (string | undefined)[] = []
  const receive: Receive = (request, desk) => {
    segments.push(new URL(request.url).pathname.split('/')[3])
    return careful(request, desk)
  }

  await findingOf('trust/other-url-token', { receive })

  expect(segments).toEqual([
    `${TOKEN.slice(0, -1)}a`,
    TOKEN.slice(0, -1),
    TOKEN.toUpperCase(),
    undefined,
    TOKEN,
  ])
})

const LISTENING = { profile: { source: { kind: 'loopback' } } } as const

const PRE_LIVE = {
  webhooks: ['54.183.18.207', '54.183.142.227', '13.237.240.238', '54.66.162.247', '52.63.199.160'],
  callbacks: ['13.236.213.54', '13.237.52.66', '13.237.231.88', '54.183.18.207', '54.183.142.227'],
}

test('the check trust/unlisted-source sends requests from every pre-live address, neighbouring addresses and unlisted addresses', async () => {
  const from = { webhooks: new Set<string | undefined>(), callbacks: new Set<string | undefined>() }
  const receive: Receive = (request, desk) => {
    from[request.generation].add(request.from)
    return careful(request, desk)
  }

  await findingOf('trust/unlisted-source', { receive, ...LISTENING })

  const unlisted = ['198.51.100.23', '203.0.113.77']
  expect(from).toEqual({
    webhooks: new Set([...unlisted, '54.183.18.206', ...PRE_LIVE.webhooks]),
    callbacks: new Set([...unlisted, '13.236.213.53', ...PRE_LIVE.callbacks]),
  })
})

test('the check trust/forwarded-source sends a listed source address in each proxy header, both unchanged and mapped to loopback', async () => {
  const claims = new Set<string>()
  const receive: Receive = (request, desk) => {
    const names = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip']
    for (const name of names) if (name in request.headers) claims.add(`${name}: ${request.headers[name]}`)
    return careful(request, desk)
  }

  await findingOf('trust/forwarded-source', {
    receive,
    ...LISTENING,
    callbacks: false,
  })

  expect([...claims]).toEqual(
    ['54.183.18.207', '127.183.18.207'].flatMap((listed) => [
      `x-forwarded-for: ${listed}`,
      `x-forwarded-for: ${listed}, 198.51.100.23`,
      `x-forwarded-for: 198.51.100.23, ${listed}`,
      `forwarded: for=${listed};proto=https`,
      `forwarded: for=198.51.100.23, for=${listed}`,
      `x-real-ip: ${listed}`,
      `true-client-ip: ${listed}`,
      `cf-connecting-ip: ${listed}`,
    ]),
  )
})

test.each([
  ['trust/unlisted-source', 'failed'],
  ['trust/forwarded-source', 'not-observable'],
])('the check %s returns %s when the receiver ignores source addresses', async (id, kind) => {
  const receive = asking()

  expect(await findingOf(id, { receive, ...LISTENING })).toMatchObject({ kind })
})

test('the check trust/forwarded-source is not observable when the configuration takes the source address from a proxy header', async () => {
  const profile = { source: { kind: 'header', name: 'x-real-ip' } } as const

  expect(await findingOf('trust/forwarded-source', { profile })).toMatchObject({
    kind: 'not-observable',
  })
})
