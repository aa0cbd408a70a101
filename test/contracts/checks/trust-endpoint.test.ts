import { expect, test } from 'vitest'
import { trustChecks } from '../../../contracts/checks/trust/index.ts'
import { careful } from '../support/careful.ts'
import { TOKEN, type Receive } from '../support/fake-context.ts'
import { checkNamed, findingOf } from '../support/verdicts.ts'

test('trust/other-url-token sees nothing of a URL without a token', async () => {
  const template = 'https://receiver.test/payment-notification-receiver/{object_type}'

  expect(
    await findingOf(checkNamed(trustChecks, 'trust/other-url-token'), { receive: careful, template }),
  ).toMatchObject({ kind: 'not-observable' })
})

test('trust/other-url-token tries the token changed, shortened, in other letters and left out', async () => {
  const segments: (string | undefined)[] = []
  const receive: Receive = (request, desk) => {
    segments.push(new URL(request.url).pathname.split('/')[3])
    return careful(request, desk)
  }

  await findingOf(checkNamed(trustChecks, 'trust/other-url-token'), { receive })

  expect(segments).toEqual([
    `${TOKEN.slice(0, -1)}a`,
    TOKEN.slice(0, -1),
    TOKEN.toUpperCase(),
    undefined,
    TOKEN,
  ])
})

test('trust/unlisted-source tries every listed address', async () => {
  const from = new Set<string | undefined>()
  const receive: Receive = (request, desk) => {
    from.add(request.from)
    return careful(request, desk)
  }

  await findingOf(checkNamed(trustChecks, 'trust/unlisted-source'), {
    receive,
    profile: { source: { kind: 'loopback' } },
  })

  expect(from).toEqual(
    new Set([
      '198.51.100.23',
      '203.0.113.77',
      '54.183.18.207',
      '54.183.142.227',
      '13.237.240.238',
      '54.66.162.247',
      '52.63.199.160',
    ]),
  )
})
