import { expect, test } from 'vitest'
import { createOddRequests, type OddRequestPorts } from '../../../contracts/run/sender.ts'
import type { OddRequest } from '../../../contracts/probes/raw-request.ts'
import { createSigning } from '../../../contracts/run/signing.ts'
import type { ReceiverOptions } from '../../../contracts/toolkit/options.ts'
import { readingValues } from '../../../spec/readings.ts'
import { signatureHeader } from '../../../spec/signature.ts'
import { receiverOptions } from '../support/run-options.ts'

const RECEIVER = receiverOptions({ headers: { 'x-environment': 'test' }, callsBack: true })

const NOW = '2026-01-01T00:00:00.900Z'

async function sent(
  given: Partial<ReceiverOptions>,
  { secret, sourceAddress }: Given = {},
): Promise<Pick<OddRequest, 'from' | 'headers'>> {
  const out: OddRequest[] = []
  const ports = {
    ...portsOf({ receiver: { ...RECEIVER, ...given } }, (request) => void out.push(request)),
    sign: createSigning(secret, () => NOW),
  }
  await createOddRequests(ports)({
    method: 'PUT',
    url: 'https://receiver.test/items',
    label: 'PUT',
    body: '{}',
    ...(sourceAddress !== undefined && { sourceAddress }),
  })
  const [{ from, headers = {} } = { from: undefined }] = out
  return { from, headers }
}

function portsOf(options: OddRequestPorts['options'], note: (request: OddRequest) => void): OddRequestPorts {
  return {
    options,
    service: { readings: readingValues() },
    log: { events: [], now: () => 0, add: () => {} },
    calls: { observable: false, settle: () => Promise.resolve([]) },
    activity: { sending: () => Promise.resolve(() => {}) },
    async odd(request) {
      note(request)
      const { label, method, url, headers = {}, body = '' } = request
      return {
        label,
        request: { method, url, headers: Object.entries(headers), body },
        status: 204,
        reason: null,
        message: 'Answered 204',
        flags: [],
        tookMs: 1,
        response: null,
      }
    },
    pause: () => Promise.resolve(),
    silence: { reason: () => undefined },
    sign: () => ({}),
  }
}

interface Given {
  readonly secret?: string
  readonly sourceAddress?: string
}

test.each<readonly [string, Partial<ReceiverOptions>, Given, object]>([
  [
    'the loopback mapping of a documented address',
    { source: { kind: 'loopback' } },
    {},
    { from: '127.183.18.207' },
  ],
  [
    'a documented address in the configured proxy header',
    { source: { kind: 'header', name: 'X-Real-IP' } },
    {},
    { from: undefined, headers: { 'x-real-ip': '54.183.18.207', 'x-environment': 'test' } },
  ],
  [
    'the source address that the check specifies',
    { source: { kind: 'loopback' } },
    { sourceAddress: '203.0.113.77' },
    { from: '127.0.113.77' },
  ],
  [
    'any address without a configured source',
    {},
    {},
    { from: undefined, headers: { 'x-environment': 'test' } },
  ],
])('a crafted request uses %s', async (_, ...[receiver, given, expected]) => {
  expect(await sent(receiver, given)).toMatchObject(expected)
})

test('a crafted request is signed in the same way as a delivery', async () => {
  const secret = 'what-only-your-receiver-and-the-service-know'
  const signature = signatureHeader([secret], 1_767_225_600, '{}')

  expect(await sent({}, { secret })).toMatchObject({ headers: { 'Webhooks-signature': signature } })
})
