import { expect, test } from 'vitest'
import { createLoadSender, type LoadSenderOptions } from '../../../contracts/load/load-sender.ts'
import { receiverUrls } from '../../../contracts/run/receiver-urls.ts'
import { readingValues } from '../../../spec/readings.ts'
import { SIGNATURE_HEADER } from '../../../spec/signature-header.ts'
import { signatureHeader } from '../../../spec/signature.ts'
import { answered, scriptedTransport, type Script } from '../../support/scripted-transport.ts'

const NOW = '2026-01-01T00:00:00.500Z'
const URL = 'https://localhost:9443/{object_type}/hooks'
const message = {
  type: 'transactions',
  id: '1',
  body: '{"transactions":{"id":"1"}}',
  booking: { effects: 1 },
} as const

interface Given extends Partial<LoadSenderOptions['options']> {
  readonly generation?: LoadSenderOptions['generation']
}

async function send({ generation = 'webhooks', ...given }: Given = {}, script?: Script) {
  const transport = scriptedTransport(script)
  const urls = receiverUrls({ urls: { webhooks: URL, callbacks: URL } })
  const sending: LoadSenderOptions = {
    generation,
    urls,
    options: { receiver: { headers: {}, source: undefined }, secret: undefined, ...given },
    service: { readings: readingValues({ signature: 'hmac' }) },
    now: () => NOW,
  }
  const answer = await createLoadSender(sending, transport)(message)
  return { answer, sent: transport.messages[0], deadlineMs: transport.deadlinesMs[0] }
}

test('the load sender posts a notification to the URL of its type within the deadline', async () => {
  const { answer, sent, deadlineMs } = await send()

  expect(answer).toEqual({ kind: 'status', status: 200 })
  expect(sent?.url).toBe('https://localhost:9443/transactions/hooks')
  expect(Buffer.from(sent?.body ?? []).toString()).toBe(message.body)
  expect(Object.keys(sent?.headers ?? {})).toEqual(['content-type', 'user-agent'])
  expect(deadlineMs).toBe(readingValues()['delivery-deadline'])
})

test('the load sender signs webhooks with the secret but does not sign callbacks', async () => {
  const { sent } = await send({ secret: 'a secret' })
  const seconds = Math.floor(Date.parse(NOW) / 1_000)
  const value = signatureHeader(['a secret'], seconds, Buffer.from(message.body))
  expect(sent?.headers[SIGNATURE_HEADER]).toBe(value)

  const { sent: callback } = await send({ secret: 'a secret', generation: 'callbacks' })
  expect(callback?.headers).not.toHaveProperty(SIGNATURE_HEADER)
})

test('configured headers extend or replace the headers of the service', async () => {
  const headers = { Authorization: 'Bearer abc', 'Content-Type': 'application/json; charset=utf-8' }
  const { sent } = await send({ receiver: { headers, source: undefined } })

  expect(sent?.headers).toMatchObject({
    authorization: 'Bearer abc',
    'content-type': 'application/json; charset=utf-8',
  })
})

test('the load sender uses the documented source addresses in turn when the receiver checks addresses', async () => {
  const { sent } = await send({ receiver: { headers: {}, source: { kind: 'loopback' } } })

  expect(sent?.sourceAddress).toMatch(/^127\./)
})

test('the load sender returns the failure reason of an unanswered notification and the status of a response', async () => {
  const { answer } = await send({}, () => ({ kind: 'unanswered', reason: 'reset', message: 'x' }))

  expect(answer).toEqual({ kind: 'reason', reason: 'reset' })
  expect((await send({}, () => answered(503))).answer).toEqual({ kind: 'status', status: 503 })
})
