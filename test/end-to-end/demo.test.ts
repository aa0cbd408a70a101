import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBenchToken } from '../../sandbox/adapters/data-folder.ts'
import type { JobPage } from '../../spec/generated/control-types.ts'
import { useWorkshop } from '../support/workshop.ts'
import { serveHttp } from '../support/scripted-server.ts'

const shop = useWorkshop()
const FREE_PORTS = ['--port', '0', '--bench-port', '0', '--receiver-port', '0']

test('the command "demo" plays a payment with two failed deposit notifications and their retries in a separate data folder', async () => {
  const demo = shop.start('demo', ...FREE_PORTS)
  const next = await demo.line(/hookbench timeline/)
  const { jobs } = await shop.json<JobPage>('jobs', ...(next.match(/--data \S+/)?.[0].split(' ') ?? []))

  const lines = await Promise.all(
    [1, 2, 3].map((number) => demo.line(new RegExp(`payment_deposited attempt ${number}`))),
  )
  const code = await demo.end('SIGINT', 'SIGINT')

  expect(lines).toEqual([
    // On a busy machine, part of the 5-minute and 20-minute waits may already have passed.
    expect.stringMatching(/ ← 503 in \d+ ms, next in [1-5] min \((1 s|\d+ ms)\)$/),
    expect.stringMatching(/ ← 503 in \d+ ms, next in (1\d|20) min \([2-4] s\)$/),
    expect.stringMatching(/ ← 204 in \d+ ms$/),
  ])
  expect(jobs.map(({ object_type, state }) => `${object_type} ${state}`)).toEqual([
    'items pending',
    'transactions successful',
    'items payment_deposited',
    'batch_transactions successful',
    'items completed',
  ])
  expect([code, existsSync(join(shop.folder, '.hookbench'))]).toEqual([0, false])
})

test('the command "demo" changes the registrations of an earlier demo to the new receiver', async () => {
  const uuidsOf = async () => {
    const demo = shop.start('demo', '--data', 'twice', ...FREE_PORTS)
    const types = ['items', 'transactions', 'batch_transactions']
    const lines = await Promise.all(types.map((type) => demo.line(new RegExp(`^Registered for ${type} `))))
    await demo.line(/completed attempt 1 .* 204/)
    return [lines, await demo.end('SIGINT')]
  }

  const first = await uuidsOf()

  expect(first).toEqual([
    Array.from({ length: 3 }, () => expect.stringMatching(/as webhook [0-9a-f-]{36}$/)),
    0,
  ])
  expect(await uuidsOf()).toEqual(first)
})

test('the demo shop acts twice on a duplicate delivery, and the rehearsal command that the demo prints detects this defect', async () => {
  const demo = shop.start('demo', '--data', 'shop', ...FREE_PORTS)
  const [, command = ''] =
    (await demo.line(/hookbench rehearse/)).match(/hookbench (rehearse .*?) {2,}/) ?? []

  const twice = await shop.run(...command.split(' '))
  await demo.end('SIGINT')

  expect([twice.code, twice.stdout]).toEqual([1, expect.stringContaining('2 effects')])
})

test('the command "demo" is rejected when its data folder has other registrations', async () => {
  const up = await shop.up('--data', 'mine')
  const receiver = await shop.receiver(await shop.certificate('--data', 'mine'))
  await shop.run('register', receiver.url, '--type', 'items', '--data', 'mine')
  await up.end('SIGTERM')

  const { code, stderr } = await shop.run('demo', '--data', 'mine', ...FREE_PORTS)

  expect([code, stderr]).toEqual([2, expect.stringMatching(/^hookbench: .*--data\n$/)])
  expect(stderr).toContain(receiver.url)
})

test('the command "demo --json" prints all events as JSON lines and tells the dashboard which data folder it uses', async () => {
  const demo = shop.start('demo', '--json', '--data', 'lines', ...FREE_PORTS)

  const lines = await Promise.all(
    ['ready', 'receiver', 'registered', 'attempt', 'played'].map((event) =>
      demo.line(new RegExp(`^\\{"event":"${event}"`)),
    ),
  )
  const { bench_url } = JSON.parse(lines[0] ?? '')
  const headers = { authorization: `Bearer ${readBenchToken({ path: join(shop.folder, 'lines') })}` }
  const place: unknown = await (await fetch(`${bench_url}/control/sandbox`, { headers })).json()
  const code = await demo.end('SIGTERM')

  expect(lines.map((line) => typeof JSON.parse(line))).toEqual(lines.map(() => 'object'))
  expect(place).toMatchObject({ data_folder: 'lines' })
  expect([code, JSON.parse(await demo.line(/stopped/))]).toEqual([0, { event: 'stopped' }])
})

test('the command "demo" reports a busy port of its receiver', async () => {
  const { port, close } = await serveHttp(() => {})

  const ended = await shop.run('demo', ...FREE_PORTS.slice(0, 4), '--receiver-port', String(port))
  await close()

  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`port ${port}: the port is in use`)])
})

test('the command "up" prints the next steps at the start and "Stopped" at the end', async () => {
  const up = shop.start('up', '--memory', '--port', '0', '--bench-port', '0')

  await up.line(/^Next, in another terminal:$/)
  await up.line(/hookbench cert localhost/)
  const stopped = up.line(/^Stopped$/)

  expect(await up.end('SIGINT')).toBe(0)
  await expect(stopped).resolves.toBe('Stopped')
})
