import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExchangeDetail } from '../../spec/generated/control-types.ts'
import {
  attempt,
  call,
  crafted,
  exchange,
  fault,
  job,
  payment,
  registration,
} from '../support/control-records.ts'
import { openWorkshop } from '../support/program.ts'

// What the program asks of a bench, and how it prints the answers. The bench is one that knows its answers by heart.

const AT = '2026-01-01T00:00:00.000Z'
const CLOCK = { mode: 'manual', speed: 0, now: AT }
const ITEM = {
  object_type: 'items',
  id: 'i1',
  revision: 2,
  notified: [{ generation: 'webhooks', id: 'r1', url: 'https://localhost:9443/' }],
  object: { id: 'i1', state: 'completed' },
}
const NO_HISTORY = { entries: [], requests: [] }
const SNAPSHOT = { format: 2, version: '0', clock: CLOCK, chance: null, ...NO_HISTORY, checksum: 'x' }
const LAST_PAGE = { older: 0, next_cursor: null }
const FAILED: Partial<ExchangeDetail> = { status: null, reason: 'reset', message: 'It was reset' }

const ANSWERS: Readonly<Record<string, unknown>> = {
  'GET /health': { status: 'ready', service_url: 'http://service.test', version: '0', now: AT, clock: CLOCK },
  'GET /clock': CLOCK,
  'PATCH /clock': CLOCK,
  'GET /objects/items/i1': ITEM,
  'POST /objects/items/i1/transitions': ITEM,
  'GET /payments': { payments: [payment()], ...LAST_PAGE },
  'GET /payments/p1': payment(),
  'GET /jobs': { jobs: [job()], ...LAST_PAGE },
  'GET /jobs/j1': { job: job(), attempts: [attempt()] },
  'GET /jobs/j1/current-body': { body: '{"state":"completed"}' },
  'POST /clock/advance': { now: AT, attempts: 0 },
  'POST /jobs/j1/resend': { job: job(), attempts: [attempt({ manual: true })] },
  'POST /deliveries': crafted({ exchanges: [exchange(FAILED)] }),
  'GET /deliveries': { deliveries: [crafted()], ...LAST_PAGE },
  'GET /deliveries/d1': crafted(),
  'GET /requests': { requests: [call()], ...LAST_PAGE },
  'POST /faults': fault({ match: { object_type: 'items' } }),
  'GET /faults': { faults: [fault()] },
  'GET /fault-kinds': { kinds: [{ on: 'api', kind: 'status', about: 'x', takes: ['body'], needs: [] }] },
  'DELETE /faults': { faults: [fault()] },
  'DELETE /faults/f1': fault(),
  'GET /readings': { readings: [] },
  'GET /registrations': { registrations: [registration()] },
  'POST /reset': CLOCK,
  'GET /snapshot': SNAPSHOT,
  'PUT /snapshot': CLOCK,
  'POST /settle': { settled: false, waiting_for: [{ what: 'attempts', count: 2 }] },
}

const asked: string[] = []
let sentEvents = 0
const server = createServer((request, response) => void answer(request, response))
let shop: ReturnType<typeof openWorkshop>

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const path = String(request.url).replace('/control', '')
  const last = request.headers['last-event-id']
  asked.push([request.method, path, body, last].filter((part) => part !== undefined && part !== '').join(' '))
  if (path === '/events') return sendEvent(response)
  const known = ANSWERS[`${request.method} ${path.split('?')[0]}`]
  const error = {
    error: { code: 'not-found', message: 'Cannot find it', hint: 'look elsewhere', command: 'jobs' },
  }
  response.writeHead(known === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(known ?? error))
}

/** One event for each connection, which is cut in the middle of the next. */
function sendEvent(response: ServerResponse): void {
  const id = String(++sentEvents)
  const event = JSON.stringify({
    id,
    type: sentEvents === 3 ? 'job' : 'clock',
    at: AT,
    text: '',
    data: CLOCK,
  })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`: hello\n\nid: ${id}\ndata: ${event}\n\nid: x\ndata: {`, () => response.destroy())
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  shop = openWorkshop({ HOOKBENCH_URL: `http://127.0.0.1:${port}` })
})

afterAll(() => {
  shop.close()
  server.close().closeAllConnections()
})

test.each([
  ['clock', 'GET /clock', 'manual'],
  ['advance 364d', 'POST /clock/advance {"by":"364d"}', 'The clock shows'],
  ['advance 400d --yes', 'POST /clock/advance {"by":"400d"}', 'The clock shows'],
  ['clock set compressed --speed 60', 'PATCH /clock {"mode":"compressed","speed":60}', 'The clock shows'],
  ['show items i1', 'GET /objects/items/i1', '"state": "completed"'],
  ['move items i1 completed', 'POST /objects/items/i1/transitions {"to":"completed"}', 'Moved items i1'],
  ['payments', 'GET /payments?limit=20', 'card-payin'],
  ['payment p1', 'GET /payments/p1', 'step 1 of 2'],
  ['jobs --generation callbacks', 'GET /jobs?generation=callbacks&limit=20', 'j1'],
  ['job j1 --diff', 'GET /jobs/j1/current-body', 'state: nothing → "completed"'],
  ['resend j1', 'POST /jobs/j1/resend', 'by hand'],
  [
    'deliver https://localhost:9443/ --body {"a":1} -H a:b --header c:d --times 2',
    'POST /deliveries {"body":{"a":1},"url":"https://localhost:9443/","times":2,"headers":{"a":"b","c":"d"}}',
    'reset: It was reset',
  ],
  [
    'deliver --registration r1 --raw @- --signed',
    'POST /deliveries {"raw":"","raw_encoding":"base64","registration":"r1","signed":true}',
    'npx hookbench delivery d1',
  ],
  ['deliveries --limit 5', 'GET /deliveries?limit=5', 'd1'],
  ['delivery d1', 'GET /deliveries/d1', 'Delivery d1'],
  [
    'requests --type items --object i1 --operation showItem',
    'GET /requests?object_type=items&object_id=i1&operation=showItem&limit=20',
    'GET /items/i1',
  ],
  ['faults', 'GET /faults', '0 of 1 times'],
  [
    'faults add delivery duplicate --match object_type=items --times 1',
    'POST /faults {"on":"delivery","kind":"duplicate","match":{"object_type":"items"},"times":1}',
    'Added fault f1: delivery duplicate on object_type=items, once',
  ],
  [
    'faults add api delay --match object_type=items state=a --match method=GET --delay 2s --set /a=1 --set /b:=[]',
    'POST /faults {"on":"api","kind":"delay","match":{"object_type":"items","state":"a","method":"GET"},"delay_ms":2000,"set":{"/a":1,"/b":[]}}',
    'Added fault',
  ],
  ['faults remove f1', 'DELETE /faults/f1', 'Removed fault f1'],
  ['faults kinds', 'GET /fault-kinds', 'api  status  body   x'],
  ['faults clear', 'DELETE /faults', 'Removed fault f1'],
  ['registrations', 'GET /registrations', 'webhook'],
  ['reset', 'POST /reset', 'as after a first start'],
  ['ready --timeout 10', 'GET /health', 'http://service.test'],
])('%s asks %s', async (line, request, printed) => {
  const { code, stdout, stderr } = await shop.run(...line.split(' '))

  expect([code, stderr, asked.at(-1)]).toEqual([0, '', request])
  expect(stdout).toContain(printed)
})

test('settle fails while something is waited for', async () => {
  const { code, stdout } = await shop.run('settle', '--timeout', '1')

  expect([code, asked.at(-1)]).toEqual([1, 'POST /settle {"timeout_ms":1000}'])
  expect(stdout).toContain('2 attempts that are due or under way')
})

test('snapshot saves to a file and puts back what it saved', async () => {
  const saved = await shop.json('snapshot', 'save', 'world.json')
  const restored = await shop.run('snapshot', 'restore', 'world.json')
  const printed = await shop.run('snapshot', 'save', '-')

  const file = join(shop.folder, 'world.json')
  expect(saved).toEqual({ file, version: '0', clock: CLOCK, checksum: 'x' })
  expect([restored.code, JSON.parse(printed.stdout)]).toEqual([0, SNAPSHOT])
  expect(asked.at(-2)).toBe(`PUT /snapshot ${JSON.stringify(SNAPSHOT)}`)
})

test('events continues after each lost connection, and stops after enough events', async () => {
  sentEvents = 0

  const { code, stdout, stderr } = await shop.run('events', '--since', '0', '--count', '3', '--json')

  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  expect([code, stderr, ids]).toEqual([0, '', ['1', '2', '3']])
  expect(asked.slice(-3)).toEqual(['GET /events 0', 'GET /events 1', 'GET /events 2'])
})

test('events prints only the types that are asked for, and ends cleanly with Ctrl-C', async () => {
  sentEvents = 0
  const events = shop.start('events', '--type', 'job')

  const line = await events.line(/./)

  expect(line).toMatch(/ job .* #3$/)
  expect(await events.end('SIGINT')).toBe(0)
})

test.each([
  ['evnts', 'Did you mean events?'],
  ['help evnts', 'did you mean "events"?'],
  ['help xyzzy', '"npx hookbench --help" lists all commands'],
  ['create item', 'did you mean "items"?'],
  ['move accounts a1 closed', 'change it with "npx hookbench change accounts a1 enabled=false"'],
  ['advance -5m', 'the clock never goes back'],
  ['advance --jsn', 'there is no such option'],
  ['advance 5x', 'Cannot advance by "5x": it is not a duration; give a duration such as 25m, or an instant'],
  ['play direct-credit-payout --item i1', 'it pays no item'],
  ['register nope --type items', 'it is not an HTTPS URL'],
  ['register https://localhost:1/ --type item', 'did you mean "items"?'],
  ['deliver nope', 'it is not an HTTPS URL'],
  ['faults ad', 'did you mean "faults add"?'],
  ['faults add delivery dupliacte', 'did you mean "duplicate"?'],
  ['faults add nowhere duplicate', 'Cannot use <on> "nowhere": it takes delivery or api'],
  [
    'clock set manuel',
    'Cannot use <mode> "manuel": it takes real, manual or compressed; did you mean "manual"?',
  ],
  ['jobs --status nope', 'Cannot use --status "nope": it takes pending, success or failed'],
  ['events --type jobb', 'did you mean "job"?'],
  ['clock set real --speed 2', 'leave out --speed'],
  ['deliver --raw x', 'give one of a URL, --registration and --job'],
  ['advance 366d', 'say --yes'],
  ['advance 2027-02-01T00:00:00.000Z', 'say --yes'],
  ['deliver --job j1 --raw x', 'give --job without them'],
  ['snapshot restore nope.json', 'Cannot read "nope.json"'],
])('a mistake is wrong use, and the message says the remedy: %s', async (line, remedy) => {
  const { code, stdout, stderr } = await shop.run(...line.split(' '))

  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(remedy)])
})

test('with --json what is wrong with the command line is JSON, too', async () => {
  const { code, stdout, stderr } = await shop.run('jobs', '--limi', '--json')

  expect([code, stdout, JSON.parse(stderr)]).toEqual([
    2,
    '',
    { error: { message: "Cannot read the command line: unknown option '--limi' (Did you mean --limit?)" } },
  ])
})

test('commands in a text name the data folder', async () => {
  const { stdout } = await shop.run('deliver', 'https://localhost:9443/', '--raw', '', '--data', 'mine')

  expect(stdout).toContain('(npx hookbench delivery d1 --data mine)')
})

test('a refusal is printed with its hint, and a command that names the data folder', async () => {
  const plain = await shop.run('resend', 'nope', '--data', 'mine')
  const json = await shop.run('resend', 'nope', '--data', 'mine', '--json')

  const command = 'npx hookbench jobs --data mine'
  expect([plain.code, plain.stderr]).toEqual([
    1,
    `hookbench: Cannot find it; look elsewhere with "${command}"\n`,
  ])
  expect([json.code, JSON.parse(json.stderr)]).toMatchObject([
    1,
    { error: { hint: 'look elsewhere', command } },
  ])
})

test('doctor fails where a receiver does not answer, and its findings are JSON', async () => {
  const { code, stdout } = await shop.run('doctor', '--json')

  const levels = JSON.parse(stdout).findings.map(
    ({ about, level }: Record<string, string>) => `${about} ${level}`,
  )
  expect([code, levels]).toEqual([
    1,
    expect.arrayContaining(['receiver problem', 'faults warning', 'clock fine']),
  ])
})
