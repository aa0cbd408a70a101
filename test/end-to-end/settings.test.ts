import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { ReadingList } from '../../spec/generated/control-types.ts'
import type { Receiver, Up } from '../support/program.ts'
import { rawCall, type RawRequest } from '../support/stored-sandbox.ts'
import { useWorkshop } from '../support/workshop.ts'

// All tests share one sandbox over HTTPS, so their order matters.
const shop = useWorkshop({
  HOOKBENCH_CLIENT_ID: 'id-of-environment',
  HOOKBENCH_CLIENT_SECRET: 'secret-of-environment',
  HOOKBENCH_EMAIL: 'environment@example.test',
})
const CONFIG = {
  https: true,
  clock: 'manual',
  readings: { 'retry-body': 'current' },
  credentials: { client_id: 'id-of-file', api_token: 'token-of-file' },
}
const UP = ['--config', 'hookbench.json', '--email', 'flag@example.test']
let up: Up
let receiver: Receiver

beforeAll(async () => {
  writeFileSync(join(shop.folder, 'hookbench.json'), JSON.stringify(CONFIG))
  up = await shop.up(...UP)
  receiver = await shop.receiver()
})

/** Calls the service. Trusts only the local CA. */
const call = (request: Omit<RawRequest, 'ca'>) =>
  rawCall(String(up.ready['service_url']), {
    ...request,
    ca: readFileSync(join(shop.folder, '.hookbench/ca/ca.crt.pem'), 'utf8'),
  })

const show = (email: string, token: string) =>
  call({ method: 'GET', path: '/items/nope', headers: [`Authorization: Basic ${btoa(`${email}:${token}`)}`] })

test('the command "up", the health operation and run.json show the HTTPS URL of the service', async () => {
  const run = JSON.parse(readFileSync(join(shop.folder, '.hookbench/run.json'), 'utf8'))
  const health = await (await fetch(`${String(up.ready['bench_url'])}/control/health`)).json()

  const url = up.ready['service_url']
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  expect([run.service_url, health]).toEqual([url, expect.objectContaining({ service_url: url })])
  expect(up.ready['bench_url']).toMatch(/^http:/)
})

test('a flag overrides the environment variable, and the variable overrides the configuration file', async () => {
  const grant = (client_id: string) =>
    call({
      path: '/tokens',
      headers: ['Content-Type: application/json'],
      body: JSON.stringify({
        grant_type: 'client_credentials',
        client_id,
        client_secret: 'secret-of-environment',
        scope: 'x',
      }),
    })

  const statuses = await Promise.all([
    show('flag@example.test', 'token-of-file'),
    show('environment@example.test', 'token-of-file'),
    grant('id-of-environment'),
    grant('id-of-file'),
  ])

  expect(statuses.map(({ status }) => status)).toEqual([404, 401, 200, 401])
})

test('the command "register" trusts the local CA and takes its credentials from the environment', async () => {
  const { code, stdout } = await shop.run('register', receiver.url, '--type', 'items')
  const wrong = await shop.run('register', receiver.url, '--type', 'users', '--client-id', 'nobody')

  expect([code, stdout]).toEqual([0, expect.stringContaining('as webhook')])
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(/answered 401\. .*HOOKBENCH_CLIENT_ID/),
  ])
})

test('the command "register" does not call a sandbox whose CA is unknown or different', async () => {
  const other = useWorkshop({ HOOKBENCH_URL: String(up.ready['bench_url']) })
  await other.run('cert', 'localhost')

  const register = ['register', receiver.url, '--type', 'users']
  const ended = await Promise.all([other.run(...register), other.run(...register, '--data', 'nowhere')])

  const refusal = { code: 3, stdout: '', stderr: expect.stringContaining('Cannot trust the sandbox') }
  expect(ended).toEqual([refusal, refusal])
})

test('readings are listed, changed and stored, and start options override the stored readings', async () => {
  const valueOf = async (id: string) => {
    const { readings } = await shop.json<ReadingList>('readings')
    return readings.find((reading) => reading.id === id)?.value
  }
  const list = await shop.run('readings')
  const set = await shop.run('readings', 'set', 'retry-window', 'five-attempts')
  const wrong = await shop.run('readings', 'set', 'retry-window', '48h')
  const shown = await shop.json<ReadingList>('readings', 'set', 'retry-body', 'snapshot')
  const before = [await valueOf('retry-window'), await valueOf('retry-body')]
  await up.end('SIGTERM')
  up = await shop.up(...UP)

  expect([list.code, list.stdout]).toEqual([0, expect.stringMatching(/^retry-body +current +snapshot /m)])
  expect([set.code, set.stdout]).toEqual([0, 'retry-window is five-attempts from now on\n'])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('its options are 24h')])
  expect(shown.readings.find(({ id }) => id === 'retry-body')?.value).toBe('snapshot')
  expect(before).toEqual(['five-attempts', 'snapshot'])
  expect([await valueOf('retry-window'), await valueOf('retry-body')]).toEqual(['five-attempts', 'current'])
})
