import { expect, test } from 'vitest'
import { noRedirect } from '../../contracts/checks/http/answers.ts'
import { judged } from '../support/judged-receiver.ts'
import { onRequest, tlsServer } from '../support/tls-server.ts'

const OK = 'HTTP/1.1 204 No Content\r\n\r\n'

test('a run tells of a delivery that went out twice, since the kept connection ended without an answer', async () => {
  const serve = onRequest((socket, { number }) => (number === 1 ? socket.write(OK) : socket.end()))

  const { results } = await judged({
    checks: [noRedirect],
    async start({ cert, key }) {
      const server = await tlsServer({ cert, key }, serve)
      const template = `${server.url}/{object_type}`
      return {
        webhooks: template,
        callbacks: template,
        effects: '',
        core: { readEffects: () => ({ effects: 0, state: null }) },
        close: () => Promise.resolve(),
      }
    },
  })

  const events = results.flatMap((result) => result.events)
  const flagged = events.flatMap((event) =>
    event.kind === 'sent' && event.exchange.flags.includes('connection_retried')
      ? [event.exchange.label]
      : [],
  )
  const told = events.flatMap((event) => (event.kind === 'world' ? [event.text] : []))
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed'])
  expect(flagged).not.toEqual([])
  expect(told).toEqual(
    expect.arrayContaining(
      flagged.map(
        (label) => `${label} was answered 204, sent twice, since the kept connection ended without an answer`,
      ),
    ),
  )
})
