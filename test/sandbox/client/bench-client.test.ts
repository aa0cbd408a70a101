import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createBenchClient, findBench } from '../../../sandbox/client/bench-client.ts'
import { UnreachableError } from '../../../sandbox/client/requests.ts'

const root = mkdtempSync(join(tmpdir(), 'hookbench-bench-'))
const RUN = { pid: 1, service_url: 'http://127.0.0.1:1', bench_url: 'http://127.0.0.1:2', started_at: '' }

afterAll(() => rmSync(root, { recursive: true }))

/** A data folder with a token, and what is said to run on it. */
function folderWith(name: string, run: string): string {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'token'), 'of-folder\n')
  if (run !== '') writeFileSync(join(folder, 'run.json'), run)
  return folder
}

const running = folderWith('running', JSON.stringify(RUN))

test.each([
  ['the data folder', {}, { url: RUN.bench_url, token: 'of-folder' }],
  ['HOOKBENCH_TOKEN', { HOOKBENCH_TOKEN: 'x' }, { url: RUN.bench_url, token: 'x' }],
  ['HOOKBENCH_URL', { HOOKBENCH_URL: 'http://a.test:1/' }, { url: 'http://a.test:1', token: 'of-folder' }],
  ['both', { HOOKBENCH_URL: 'https://a.test', HOOKBENCH_TOKEN: 'x' }, { url: 'https://a.test', token: 'x' }],
])('findBench() goes by %s', (_, env, address) => {
  expect(findBench(running, env)).toEqual(address)
})

test('findBench() has no token where there is none', () => {
  expect(findBench(join(root, 'nothing'), { HOOKBENCH_URL: 'http://a.test' }).token).toBe('')
})

test.each(['', 'a.test', 'ftp://a.test', '/control'])('findBench() refuses HOOKBENCH_URL "%s"', (url) => {
  expect(() => findBench(running, { HOOKBENCH_URL: url })).toThrow(RangeError)
})

test.each([
  ['nothing', '', 'none runs on data folder'],
  ['torn', '{"pid"', 'its run.json is damaged'],
  ['null', 'null', 'its run.json is damaged'],
  ['strange', '[]', 'its run.json is damaged'],
])('findBench() finds no sandbox where run.json is %s', (name, run, message) => {
  const folder = folderWith(name, run)

  expect(() => findBench(folder, {})).toThrow(UnreachableError)
  expect(() => findBench(folder, {})).toThrow(message)
})

/** A client of a bench that answers with an empty object, and what it was asked. */
function asked() {
  const calls: unknown[] = []
  const through = (async (url: string, { method, body }: { method: string; body?: string }) => {
    calls.push([method, url.replace('http://bench.test/control', ''), ...(body === undefined ? [] : [body])])
    return Response.json({})
  }) as unknown as typeof fetch
  return { calls, bench: createBenchClient({ url: 'http://bench.test', token: 'x' }, through) }
}

type Bench = ReturnType<typeof createBenchClient>

test.each<[string, (bench: Bench) => Promise<unknown>, string[]]>([
  ['clock', (bench) => bench.clock(), ['GET', '/clock']],
  ['setClock', (bench) => bench.setClock({ mode: 'manual' }), ['PATCH', '/clock', '{"mode":"manual"}']],
  ['show', (bench) => bench.show('items', 'a/b'), ['GET', '/objects/items/a%2Fb']],
  ['move', (bench) => bench.move('items', '7', 'x'), ['POST', '/objects/items/7/transitions', '{"to":"x"}']],
  ['payments', (bench) => bench.payments(), ['GET', '/payments']],
  ['jobs', (bench) => bench.jobs({ generation: 'callbacks' }), ['GET', '/jobs?generation=callbacks']],
  ['resend', (bench) => bench.resend('7'), ['POST', '/jobs/7/resend']],
  [
    'deliver',
    (bench) => bench.deliver({ url: 'u', raw: '' }),
    ['POST', '/deliveries', '{"url":"u","raw":""}'],
  ],
  ['deliveries', (bench) => bench.deliveries({}), ['GET', '/deliveries']],
  ['delivery', (bench) => bench.delivery('7'), ['GET', '/deliveries/7']],
  ['requests', (bench) => bench.requests({ limit: '5' }), ['GET', '/requests?limit=5']],
  [
    'addFault',
    (bench) => bench.addFault({ on: 'api', kind: 'hang' }),
    ['POST', '/faults', '{"on":"api","kind":"hang"}'],
  ],
  ['faults', (bench) => bench.faults(), ['GET', '/faults']],
  ['removeFault', (bench) => bench.removeFault('7'), ['DELETE', '/faults/7']],
  ['clearFaults', (bench) => bench.clearFaults(), ['DELETE', '/faults']],
  ['registrations', (bench) => bench.registrations(), ['GET', '/registrations']],
  ['reset', (bench) => bench.reset(), ['POST', '/reset']],
  ['snapshot', (bench) => bench.snapshot(), ['GET', '/snapshot']],
  ['restore', (bench) => bench.restore({ format: 1 }), ['PUT', '/snapshot', '{"format":1}']],
  ['settle', (bench) => bench.settle({ timeout_ms: 5 }), ['POST', '/settle', '{"timeout_ms":5}']],
])('%s() asks the control API', async (_, ask, call) => {
  const { calls, bench } = asked()

  await ask(bench)

  expect(calls).toEqual([call])
})
