import { expect, test } from 'vitest'
import { benchFindings } from '../../../sandbox/cli/doctor-command.ts'
import { receiverFindings } from '../../../sandbox/cli/doctor-sandbox.ts'
import type { Finding } from '../../../sandbox/cli/finding.ts'
import { createControlClient } from '../../../sandbox/client/control-client.ts'
import type { CraftedDelivery } from '../../../spec/generated/control-types.ts'
import type { HttpMessage } from '../../../sandbox/engine/core/ports.ts'
import { crafted, exchange } from '../../support/control-records.ts'
import { RECEIVER, testSandbox, type TestSandbox } from '../../support/test-sandbox.ts'
import { report } from './all-commands.ts'

const MINE = { data: 'mine' }

/** Returns the findings of the command "doctor" about receivers. Each receiver has one object type. */
const findingsOf = (deliveryByType: Readonly<Record<string, CraftedDelivery>>) =>
  receiverFindings(
    Object.entries(deliveryByType).map(([type, delivery]) => ({ types: [type], delivery })),
    MINE,
  )

const refused = [exchange({ status: null, reason: 'connect_refused', message: 'Nobody listens; start it' })]

test('the command "doctor" requires that a receiver accepts a test POST', () => {
  expect(report(...findingsOf({ items: crafted() }))).toEqual([
    'fine: https://localhost:9443/ answers a test POST with 204',
  ])
  expect(report(...findingsOf({ items: crafted({ exchanges: refused }) }))).toEqual([
    'problem: https://localhost:9443/ does not accept a test POST: connect_refused → Nobody listens; start it (npx hookbench delivery d1 --data mine)',
  ])
  const failing = exchange({ status: 500, remedy: 'let it answer every POST' })
  expect(findingsOf({ items: crafted({ exchanges: [failing] }) })).toMatchObject([
    {
      level: 'problem',
      message: expect.stringContaining('status 500'),
      remedy: 'let it answer every POST (npx hookbench delivery d1 --data mine)',
    },
  ])
})

test('the command "doctor" reports each cause only once when a receiver fails at several URLs', () => {
  const at = (path: string, exchanges = refused) =>
    crafted({ url: `https://localhost:9443/${path}`, exchanges })
  const failing = [exchange({ status: 500, remedy: 'let it answer every POST' })]

  const findings = findingsOf({
    items: at('i'),
    users: at('u'),
    accounts: at('a', failing),
    companies: at('c'),
    transactions: crafted({ url: 'https://other.test/t', exchanges: refused }),
  })

  expect(findings.map(({ message }) => message)).toEqual([
    'https://localhost:9443 does not accept a test POST: connect_refused (items, users, companies)',
    'https://localhost:9443/a does not accept a test POST: status 500',
    'https://other.test/t does not accept a test POST: connect_refused',
  ])
})

test.each([
  ['a response', exchange({ status: 204 })],
  ['no response', exchange({ status: null, message: `Nobody listens at ${RECEIVER}` })],
])('the command "doctor" shows no URL token of a receiver that sends %s', (_, posted) => {
  const findings = JSON.stringify(findingsOf({ items: crafted({ url: RECEIVER, exchanges: [posted] }) }))

  expect(findings).toContain('https://localhost:9443/notifications/items/***')
  expect(findings).not.toContain('3f9c')
})

const SECRET = 'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9'

async function doctorFindings({ bench: answer }: TestSandbox): Promise<readonly Finding[]> {
  const through = ((url: string, init: RequestInit) =>
    answer(new Request(url, init))) as unknown as typeof fetch
  const client = createControlClient({ url: 'http://b.test', token: 'bench-token' }, { through })
  const findings = await benchFindings(client, 'http://b.test', { data: 'mine' })
  return findings.filter(({ about }) => about === 'receiver')
}

const verifier = ({ headers }: HttpMessage) => ('Webhooks-signature' in headers ? 204 : 401)

test('the command "doctor" signs its test POST with the secret, so a receiver that verifies signatures accepts the test POST', async () => {
  const sandbox = testSandbox({ script: verifier })
  await sandbox.call('POST', '/webhooks/secret_key', { secret_key: SECRET })
  await sandbox.register()

  expect(report(...(await doctorFindings(sandbox)))).toEqual([
    expect.stringMatching(/^fine: .* answers a signed test POST with 204$/),
  ])
})

test('the command "doctor" reports that its test POST was unsigned when no secret is set', async () => {
  let isRegistered = false
  const sandbox = testSandbox({ script: () => (isRegistered ? 401 : 204) })
  await sandbox.register()
  isRegistered = true

  expect(report(...(await doctorFindings(sandbox)))).toEqual([
    expect.stringMatching(
      /^problem: .* does not accept a test POST: status 401 → .*the delivery was not signed, .* with POST \/webhooks\/secret_key/,
    ),
  ])
})

test('the command "doctor" sends an unsigned test POST to a callback', async () => {
  const sandbox = testSandbox()
  await sandbox.call('POST', '/webhooks/secret_key', { secret_key: SECRET })
  await sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type: 'users' })

  expect(report(...(await doctorFindings(sandbox)))).toEqual([
    expect.stringMatching(/^fine: .* answers a test POST with 200$/),
  ])
})
