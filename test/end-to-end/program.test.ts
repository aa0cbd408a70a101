import { X509Certificate } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { JobDetail, JobPage, ObjectRecord } from '../../spec/generated/control-types.ts'
import { selfSigned } from '../support/certificates.ts'
import { CALL } from '../support/installed-package.ts'
import type { Receiver, Up } from '../support/program.ts'
import { useWorkshop } from '../support/workshop.ts'

// All tests share one sandbox and one receiver, so their order matters.
const shop = useWorkshop()
const FREE_PORTS = ['--port', '0', '--bench-port', '0']
let up: Up
let receiver: Receiver

beforeAll(async () => {
  up = await shop.up('--clock', 'manual')
  receiver = await shop.receiver()
})

/** Creates an item, answers its first delivery with `status`, and returns the job's id. */
async function createAnswered(status: number): Promise<string> {
  receiver.answers.push(status)
  const { id } = await shop.json<ObjectRecord>('create', 'items')
  return String((await up.event({ event: 'attempt', object_id: id, status }))['job'])
}

/** Returns each attempt's status, and its start in minutes after the first attempt. */
async function attemptsOf(job: string) {
  const { attempts } = await shop.json<JobDetail>('job', job)
  const start = Date.parse(attempts[0]?.started_at ?? '')
  return attempts.map(({ status, started_at }) => [status, (Date.parse(started_at) - start) / 60_000])
}

async function jobIds(): Promise<string[]> {
  const { jobs } = await shop.json<JobPage>('jobs', '--limit', '200')
  return jobs.map(({ id }) => id)
}

test('the command "up" prints the addresses of the sandbox', () => {
  const loopback = /^http:\/\/127\.0\.0\.1:[1-9]\d*$/

  expect(up.ready).toEqual({
    event: 'ready',
    service_url: expect.stringMatching(loopback),
    bench_url: expect.stringMatching(loopback),
    data: join(shop.folder, '.hookbench'),
  })
})

test('only the owner can read the files of the data folder', () => {
  const folder = join(shop.folder, '.hookbench')
  const open = ['token', 'token-key', 'run.json', 'ca/ca.key.pem', '.'].filter(
    (name) => (statSync(join(folder, name)).mode & 0o077) !== 0,
  )

  expect(open).toEqual([])
})

test('the command "cert" issues a certificate for each specified host, with a private key', async () => {
  const { code, stdout } = await shop.run('cert', 'receiver.localhost', '127.0.0.1', '--out', 'other')

  const file = (name: string) => join(shop.folder, 'other', `receiver.localhost.${name}.pem`)
  expect([code, stdout]).toEqual([0, expect.stringContaining('other/receiver.localhost.crt.pem')])
  expect(new X509Certificate(readFileSync(file('crt'))).subjectAltName).toBe(
    'DNS:receiver.localhost, IP Address:127.0.0.1',
  )
  expect(statSync(file('key')).mode & 0o077).toBe(0)
})

test('the command "register" rejects a receiver without TLS or with a self-signed certificate and prints the reason', async () => {
  const stranger = await shop.receiver(await selfSigned())

  const selfSignedOne = await shop.run('register', stranger.url, '--type', 'items')
  const plain = await shop.run('register', stranger.url.replace('https', 'http'), '--type', 'items', '--json')

  expect(selfSignedOne).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('self-signed') })
  expect(plain).toMatchObject({ code: 2, stdout: '' })
  expect(JSON.parse(plain.stderr).error.message).toContain(
    'the URL is HTTP, and the service calls only HTTPS',
  )
  expect(stranger.received).toEqual([])
  expect((await shop.json<ObjectRecord>('create', 'items')).notified).toEqual([])
})

test('the command "register" sends a test POST to the receiver and prints the webhook', async () => {
  const { code, stdout } = await shop.run('register', receiver.url, '--type', 'items')

  const line = `Registered ${receiver.url} for items as webhook `
  expect([code, stdout]).toEqual([0, expect.stringContaining(line)])
  expect(JSON.parse(receiver.received.at(-1) ?? '')).toEqual({ message: expect.any(String) })
})

test.each(['webhooks', 'callbacks'])(
  'the command "register" suggests --replace for an enabled registration of %s but not for a rejected URL',
  async (generation) => {
    const options = ['--type', 'accounts', '--generation', generation]
    await shop.run('register', receiver.url, ...options)

    const second = await shop.run('register', `${receiver.url}/other`, ...options)
    const foreign = await shop.run('register', 'https://example.com/hooks', ...options)

    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('with --replace')])
    expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringMatching(/--allow-target example\.com/)])
    expect(foreign.stderr).not.toContain('--replace')
  },
)

test.each(['webhooks', 'callbacks'])(
  'the command "register --replace" changes the URL of the enabled registration of %s',
  async (generation) => {
    const options = ['--type', 'users', '--generation', generation, '--replace']
    const register = (path: string) =>
      shop.json<{ readonly created_at: string }>('register', `${receiver.url}${path}`, ...options)

    const first = await register('')
    const second = await register('/other')

    expect(second).toMatchObject({ url: `${receiver.url}/other`, created_at: first.created_at })
  },
)

test('the commands "create" and "change" notify the receiver and print the notification', async () => {
  const created = await shop.json<ObjectRecord>('create', 'items', 'amount=1200', 'name=Two words')
  await up.event({ event: 'attempt', object_id: created.id, state: 'pending', status: 204 })
  const changed = await shop.run('change', 'items', created.id, 'state=completed')
  await up.event({ event: 'attempt', object_id: created.id, state: 'completed', status: 204 })

  expect(created).toMatchObject({ revision: 1, notified: [{ url: receiver.url }] })
  expect([changed.code, changed.stdout]).toEqual([0, expect.stringContaining(`notifies ${receiver.url}`)])
  expect(receiver.received.slice(-2).map((body) => JSON.parse(body))).toMatchObject([
    { items: { id: created.id, amount: 1200, name: 'Two words', state: 'pending' } },
    { items: { id: created.id, amount: 1200, name: 'Two words', state: 'completed' } },
  ])
})

test('a failed delivery is retried 5 and 25 minutes later until it is accepted', async () => {
  const job = await createAnswered(503)
  receiver.answers.push(500)

  const advanced = await shop.run('advance', '25m')
  const later = await shop.run('advance', '2d')

  expect([advanced.code, advanced.stdout]).toEqual([0, expect.stringContaining('2 attempts were made')])
  expect(later.stdout).toContain('0 attempts were made')
  expect(await attemptsOf(job)).toEqual([
    [503, 0],
    [500, 5],
    [204, 25],
  ])
  expect(new Set(receiver.received.slice(-3)).size).toBe(1)
})

test('the commands "jobs" and "job" print requests and responses', async () => {
  const { jobs } = await shop.json<JobPage>('jobs')
  const { id = '' } = jobs.at(-1) ?? {}

  const list = await shop.run('jobs', '--status', 'success')
  const shown = await shop.run('job', id)
  const detail = await shop.json<JobDetail>('job', id)

  expect([list.code, list.stdout]).toEqual([0, expect.stringContaining(id)])
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('Answered 503')])
  expect(detail.job).toMatchObject({ id, status: 'success', attempts: 3, url: receiver.url, last: '204' })
  expect(detail.attempts.map(({ request }) => request.body)).toEqual(receiver.received.slice(-3))
})

test('a second "up" in the same data folder is rejected, and its error names the running process', async () => {
  const { code, stderr } = await shop.run('up', ...FREE_PORTS)

  expect([code, stderr]).toEqual([2, expect.stringContaining(`process ${up.pid}`)])
})

test.each([
  ['--port', 'service_url'],
  ['--bench-port', 'bench_url'],
])('the command "up" rejects a busy port for %s and leaves the data folder free', async (flag, name) => {
  const { port } = new URL(String(up.ready[name]))
  const ports = { '--port': '0', '--bench-port': '0', [flag]: port }

  const { code, stderr } = await shop.run('up', '--data', 'elsewhere', ...Object.entries(ports).flat())

  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`Cannot listen on port ${port}: the port is in use`),
  ])
  expect(readdirSync(join(shop.folder, 'elsewhere'))).not.toContain('run.json')
})

test('the command "up" exits with 0 on Ctrl-C, and the next "up" continues the pending jobs', async () => {
  const job = await createAnswered(503)
  const before = await jobIds()

  const code = await up.end('SIGINT')
  await up.event({ event: 'stopped' })
  up = await shop.up('--clock', 'manual')
  const { stdout } = await shop.run('advance', '5m')

  expect([code, stdout]).toEqual([0, expect.stringContaining('1 attempt was made')])
  expect(await attemptsOf(job)).toEqual([
    [503, 0],
    [204, 5],
  ])
  expect(await jobIds()).toEqual(before)
})

test('a command without a running sandbox explains how to start a sandbox', async () => {
  const { code, stderr } = await shop.run('jobs', '--data', 'nowhere')

  expect([code, stderr]).toEqual([3, expect.stringContaining(`"${CALL} up --data nowhere"`)])
})

test('the command "up" rejects a data folder with foreign files and changes nothing', async () => {
  const folder = join(shop.folder, 'foreign')
  mkdirSync(folder)
  writeFileSync(join(folder, 'notes.txt'), 'mine')

  const { code, stderr } = await shop.run('up', '--data', 'foreign', ...FREE_PORTS)

  expect([code, stderr]).toEqual([2, expect.stringContaining(`"${folder}"`)])
  expect(readdirSync(folder)).toEqual(['notes.txt'])
})
