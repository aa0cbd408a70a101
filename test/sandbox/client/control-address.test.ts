import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  findControlAddress,
  findTrustedCas,
  serviceUrlBeside,
} from '../../../sandbox/client/control-address.ts'
import { UnreachableError } from '../../../sandbox/client/unreachable.ts'
import { awaitReady } from '../../../sandbox/client/await-ready.ts'
import { RefusedError } from '../../../sandbox/client/requests.ts'

const root = mkdtempSync(join(tmpdir(), 'hookbench-bench-'))

const RUN = { pid: 1, service_url: 'http://127.0.0.1:1', bench_url: 'http://127.0.0.1:2', started_at: '' }

afterAll(() => rmSync(root, { recursive: true }))

function folderWith(name: string, run: string): string {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'token'), 'of-folder\n')
  if (run !== '') writeFileSync(join(folder, 'run.json'), run)
  return folder
}

const running = folderWith('running', JSON.stringify(RUN))

const OF_FOLDER = { url: RUN.bench_url, token: 'of-folder' }

test.each([
  ['the data folder', {}, OF_FOLDER],
  ['the token of the data folder', { HOOKBENCH_TOKEN: 'x' }, OF_FOLDER],
  ['HOOKBENCH_URL', { HOOKBENCH_URL: 'https://a.test:1/' }, { url: 'https://a.test:1', token: '' }],
  ['HOOKBENCH_URL and the token of its folder', { HOOKBENCH_URL: `${RUN.bench_url}/` }, OF_FOLDER],
  [
    'the token of the folder when HOOKBENCH_TOKEN is empty',
    { HOOKBENCH_URL: RUN.bench_url, HOOKBENCH_TOKEN: '' },
    OF_FOLDER,
  ],
  ['both', { HOOKBENCH_URL: 'https://a.test', HOOKBENCH_TOKEN: 'x' }, { url: 'https://a.test', token: 'x' }],
])('findControlAddress() uses %s', (_, env, address) => {
  expect(findControlAddress(running, env)).toMatchObject(address)
})

test.each([
  ['http://127.0.0.1:2', 'x'],
  ['https://127.8.0.1:2', 'x'],
  ['https://[::1]:2', 'x'],
  ['https://a.test:2', ''],
  ['http://127.0.0.1:2@a.test', ''],
  ['http://localhost.a.test', ''],
])('findControlAddress() in a folder with only the address %s returns the token "%s"', (bench_url, token) => {
  const folder = mkdtempSync(join(root, 'cloned-'))
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ ...RUN, bench_url }))

  expect(findControlAddress(folder, { HOOKBENCH_TOKEN: 'x' }).token).toBe(token)
})

test.each([
  ['another port', JSON.stringify(RUN), 'http://127.0.0.1:3'],
  ['a run.json without an address', '{}', 'http://127.0.0.1:2'],
  ['no run.json', '', 'http://127.0.0.1:2'],
])('findControlAddress() does not use the token of a folder with %s', (name, run, HOOKBENCH_URL) => {
  expect(findControlAddress(folderWith(name, run), { HOOKBENCH_URL }).token).toBe('')
})

test.each(['http://a.test', 'HTTP://192.0.2.1:4011', 'http://127.0.0.1:2@a.test', 'http://localhost.a.test'])(
  'findControlAddress() rejects the address "%s"',
  (HOOKBENCH_URL) => {
    const find = () => findControlAddress(running, { HOOKBENCH_URL, HOOKBENCH_TOKEN: 'x' })

    expect(find).toThrow(RangeError)
    expect(find).toThrow('Give the https: address of a sandbox that was started with --listen')
  },
)

test.each(['', 'a.test', 'ftp://a.test', '/control'])('findControlAddress() rejects the URL "%s"', (url) => {
  expect(() => findControlAddress(running, { HOOKBENCH_URL: url })).toThrow(RangeError)
})

test.each([
  ['nothing', '', { code: 'no_sandbox', state: expect.stringContaining('no sandbox runs on data folder') }],
  ['torn', '{"pid"', { code: 'damaged_run_file' }],
  ['null', 'null', { code: 'damaged_run_file' }],
])('findControlAddress() finds no sandbox when run.json is %s', (name, run, error) => {
  const folder = folderWith(name, run)

  expect(() => findControlAddress(folder, {})).toThrow(UnreachableError)
  expect(() => findControlAddress(folder, {})).toThrow(expect.objectContaining(error))
})

const PEM = '-----BEGIN CERTIFICATE-----\nof-folder\n-----END CERTIFICATE-----\n'

const NAMED = PEM.replace('of-folder', 'named')

/** Makes a data folder with a CA and a running sandbox. */
function folderWithCa(name: string, bench_url: string): string {
  const folder = folderWith(name, JSON.stringify({ ...RUN, bench_url }))
  mkdirSync(join(folder, 'ca'))
  writeFileSync(join(folder, 'ca/ca.crt.pem'), PEM)
  writeFileSync(join(folder, 'named.pem'), NAMED)
  return folder
}

test('findControlAddress() trusts the CA of the data folder or of HOOKBENCH_CA for HTTPS', () => {
  const folder = folderWithCa('secured', 'https://127.0.0.1:2')
  const HOOKBENCH_CA = join(folder, 'named.pem')
  const HOOKBENCH_URL = 'https://hookbench:4011'

  expect(findControlAddress(folder, { HOOKBENCH_CA }).trustedCas).toEqual([PEM])
  expect(findControlAddress(folder, { HOOKBENCH_URL }).trustedCas).toEqual([PEM])
  expect(findControlAddress(folder, { HOOKBENCH_URL, HOOKBENCH_CA }).trustedCas).toEqual([NAMED, PEM])
  expect(findControlAddress(folder, { HOOKBENCH_URL: 'http://127.0.0.1:2', HOOKBENCH_CA }).trustedCas).toBe(
    undefined,
  )
})

test('findTrustedCas() rejects invalid certificates', () => {
  const folder = folderWithCa('named', 'http://127.0.0.1:2')
  const trust = (HOOKBENCH_CA: string) => () => findTrustedCas(folder, { HOOKBENCH_CA })

  expect(findTrustedCas(running, {})).toBeUndefined()
  expect(trust(join(folder, 'token'))).toThrow('it contains no certificate. Give a PEM file')
  expect(trust(join(folder, 'missing'))).toThrow('the path does not exist. Give a PEM file')
})

test.each([
  ['https://hookbench:4011', 'https://other:4010', 'https://hookbench:4010'],
  ['https://[::1]:4011', 'https://other:4010', 'https://[::1]:4010'],
  ['https://hookbench', 'https://other:8443', 'https://hookbench:8443'],
  ['http://localhost:4011', 'https://127.0.0.1:4010', 'https://127.0.0.1:4010'],
  ['https://proxy.test', 'http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
])('serviceUrlBeside() maps bench URL %s and service URL %s to %s', (bench, service, url) => {
  expect(serviceUrlBeside(bench, service)).toBe(url)
})

const ADDRESS = { url: 'http://bench.test', token: '' }

const HEALTH = { status: 'ready', service_url: 'http://service.test' }

function none(): never {
  const how = { code: 'no_sandbox', state: 'none runs', hint: 'start one' } as const
  throw new UnreachableError('find a sandbox', how)
}

/** Returns a clock that moves only during waits, and a `fetch()` that returns the given responses. */
function world(...answers: readonly (() => Response)[]) {
  let now = 0
  const left = [...answers]
  return {
    elapsed: () => now,
    pause: async (delayMs: number) => {
      now += delayMs
    },
    through: (async () => left.shift()?.()) as unknown as typeof fetch,
  }
}

test('awaitReady() waits until a sandbox of the data folder responds', async () => {
  const found = [none, none, () => ADDRESS, () => ADDRESS]
  const ports = world(
    () => {
      throw new TypeError('fetch failed')
    },
    () => Response.json(HEALTH),
  )

  const ready = await awaitReady(() => (found.shift() ?? none)(), 10_000, ports)

  expect([ready, ports.elapsed()]).toEqual([{ bench_url: ADDRESS.url, health: HEALTH }, 300])
})

test('awaitReady() waits while a sandbox rejects changes, and reports the reason after the timeout', async () => {
  const full = { ...HEALTH, status: 'storage_full', ready: false, reason: 'The disk is full' }
  const unready = () => Response.json(full)
  const ports = world(unready, unready, () => Response.json({ ...HEALTH, ready: true }))
  const waiting = awaitReady(() => ADDRESS, 100, world(unready, unready))

  const { health } = await awaitReady(() => ADDRESS, 10_000, ports)

  expect([health.ready, ports.elapsed()]).toEqual([true, 200])
  await expect(waiting).rejects.toThrow(
    'Cannot wait longer than 0.1 s for a sandbox: The disk is full. Free space on the disk of the data folder',
  )
})

test('awaitReady() stops waiting when the sandbox rejects the call', async () => {
  const error = { code: 'forbidden', message: 'Cannot serve this host' }
  const ports = world(() => Response.json({ error }, { status: 403 }))

  await expect(awaitReady(() => ADDRESS, 1_000, ports)).rejects.toThrow(RefusedError)
})
