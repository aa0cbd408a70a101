import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { readSnapshotLines, toSnapshotLines } from '../../../support/json-bodies.ts'
import { type Forged, forged, openFileStore } from '../../../support/stores.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { RECEIVER, type TestSandbox, testSandbox } from '../../../support/test-sandbox.ts'

/** A sandbox with a file store and every kind of data. */
async function busySandbox(): Promise<{ readonly sandbox: TestSandbox; readonly path: string }> {
  const path = join(temporaryFolder(), 'store.sqlite')
  const sandbox = testSandbox({ store: openFileStore(path), script: (_, index) => (index < 2 ? 200 : 500) })
  await sandbox.register()
  for (const kind of ['card-payin', 'direct-debit-payin'])
    await sandbox.control('POST', '/payments', { kind, pace: '2h' })
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'duplicate', times: 1 })
  await sandbox.control('POST', '/deliveries', { url: RECEIVER, body: { a: 1 }, times: 2 })
  await sandbox.control('PUT', '/next-outcomes', { kind: 'card-payin', outcome: 'failed' })
  await sandbox.control('PATCH', '/readings', { 'retry-window': 'five-attempts' })
  await sandbox.control('POST', '/clock/advance', { by: '1h' })
  await sandbox.control('PATCH', '/clock', { mode: 'manual' })
  return { sandbox, path }
}

const snapshotOf = async ({ control }: TestSandbox): Promise<Forged> =>
  (await control('GET', '/snapshot')).body

/** Snapshots do not contain recorded calls. */
const dump = ({ store }: TestSandbox) => JSON.stringify([...store.entries()])

function put(
  { bench }: TestSandbox,
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): Promise<Response> {
  const headers = { authorization: 'Bearer bench-token', 'content-type': 'application/jsonl' }
  const request = { method: 'PUT', headers, body, duplex: 'half', ...(signal && { signal }) } as const
  return bench(new Request('http://bench.test/control/snapshot', request))
}

/** Splits a text into chunks. After the last chunk, the stream ends or fails. */
function pieces(text: string, size: number, end: 'closed' | Error = 'closed'): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, (at += size)))
      else if (end === 'closed') controller.close()
      else controller.error(end)
    },
  })
}

function read({ bench }: TestSandbox): Promise<Response> {
  const headers = { authorization: 'Bearer bench-token' }
  return bench(new Request('http://bench.test/control/snapshot', { headers }))
}

const countHistories = (path: string) => {
  const database = new DatabaseSync(path, { readOnly: true })
  const row = database.prepare('SELECT count(DISTINCT world) AS count FROM history').get()
  database.close()
  return row?.['count']
}

test.each([1, 7, 4_096])('a snapshot that arrives in %d-byte pieces is restored unchanged', async (size) => {
  const { sandbox } = await busySandbox()
  const text = toSnapshotLines(await snapshotOf(sandbox))
  const before = dump(sandbox)
  await sandbox.control('POST', '/reset')

  const response = await put(sandbox, pieces(text, size))

  expect([response.status, dump(sandbox)]).toEqual([200, before])
})

test('a snapshot is restored when its keys are in another order', async () => {
  const { sandbox } = await busySandbox()
  const { entries, requests, ...rest } = await snapshotOf(sandbox)
  const turned = (value: object) => Object.fromEntries(Object.entries(value).toReversed())
  const shuffled = { ...turned(rest), entries: entries.map(turned), requests: requests.map(turned) }

  const { status } = await sandbox.control('PUT', '/snapshot', shuffled)

  expect(status).toBe(200)
})

test.each([0, 0.01, 0.3, 0.7, 0.99, 1])('when %d of a snapshot arrives, nothing changes', async (share) => {
  const { sandbox, path } = await busySandbox()
  const text = toSnapshotLines(await snapshotOf(sandbox)).trimEnd()
  const before = dump(sandbox)
  const gone = new AbortController()
  const cut = text.slice(0, Math.floor(share * (text.length - 1)))

  const body = pieces(cut, 1_000, new Error('cut off'))
  gone.abort()
  const broken = await put(sandbox, body, gone.signal).then(({ status }) => status)
  const ended = await put(sandbox, pieces(cut, 1_000)).then(({ status }) => status)
  await sandbox.close()
  const reopened = testSandbox({ store: openFileStore(path) })

  expect([broken, ended, sandbox.errors]).toEqual([0, 400, []])
  expect(dump(reopened).startsWith(before.slice(0, -1))).toBe(true)
  await reopened.close()
  expect(countHistories(path)).toBe(1)
})

const TOO_LATE = 253_402_300_800_000
type Damage = (entry: Forged) => Forged | undefined
const change =
  (kind: string, toOther: (entry: Forged) => Forged): Damage =>
  (entry) =>
    entry['head'].kind === kind ? toOther(entry) : undefined
const inHead = (kind: string, changes: Forged) =>
  change(kind, (entry) => ({ ...entry, head: { ...entry['head'], ...changes } }))
const inBody = (kind: string, body: string) => change(kind, (entry) => ({ ...entry, body }))
/** Changes the record in the head field `payment` or `fault` of the entry. */
const inRecord = (kind: 'payment' | 'fault', changes: Forged) =>
  change(kind, ({ head, body }) => ({ head: { ...head, [kind]: { ...head[kind], ...changes } }, body }))
const inPayment = (changes: Forged) => inRecord('payment', changes)
const inFault = (changes: Forged) => inRecord('fault', changes)

test.each<[string, Damage]>([
  ['an object of the last second of the year 9999', inHead('object', { at: TOO_LATE - 1_000 })],
  ['an object of a time before 1970', inHead('object', { at: -1 })],
  ['an attempt that is due in the year 10000', inHead('attempt', { next_due_at: TOO_LATE })],
  ['a payment that is due in the year 10000', inPayment({ next_due_at: TOO_LATE })],
  ['a payment of an unknown kind', inPayment({ kind: 'constructor' })],
  ['a payment with more steps than its kind has', inPayment({ steps: 99 })],
  ['a fault that sends a billion copies', inFault({ kind: 'duplicate', settings: { copies: 1e9 } })],
  ['a fault that matches an unknown operation', inFault({ match: { operation: 'toString' } })],
  ['a clock with an excessive speed', inHead('clock', { speed: 1e12 })],
  ...['null', '[]', '', '{', '{}', `${'['.repeat(9_000)}${']'.repeat(9_000)}`].flatMap(
    (body): [string, Damage][] =>
      ['object', 'attempt', 'crafted'].map((kind) => [
        `the body ${body.slice(0, 9)} in ${kind}`,
        inBody(kind, body),
      ]),
  ),
  ['a job without a body', inBody('job', '')],
  [
    'an attempt whose headers are not pairs',
    inBody('attempt', '{"request_headers":[["a"]],"request_body":null,"response":null}'),
  ],
])('a snapshot with %s is rejected completely', async (_, damage) => {
  const { sandbox } = await busySandbox()
  const before = await snapshotOf(sandbox)
  const clock = damage({ head: { kind: 'clock', at: 1 }, body: '' })
  const entries = [
    ...(clock ? [clock] : []),
    ...before['entries'].map((entry: Forged) => damage(entry) ?? entry),
  ]
  const stored = dump(sandbox)

  const { status, body } = await sandbox.control('PUT', '/snapshot', forged(before, { entries }))

  expect(entries).not.toEqual(before['entries'])
  expect([status, body.error.message]).toEqual([422, expect.stringContaining('entr')])
  expect([dump(sandbox), sandbox.errors]).toEqual([stored, []])
})

test('a snapshot is rejected when it contains more than 10,000 recorded calls', async () => {
  const sandbox = testSandbox()
  await sandbox.call('GET', '/items/x')
  const before = await snapshotOf(sandbox)
  const requests = Array.from({ length: 10_001 }, () => before['requests'][0])

  const { status } = await sandbox.control('PUT', '/snapshot', forged(before, { requests }))

  expect(status).toBe(413)
})

test('a reader of a snapshot gets an error when the world is replaced', async () => {
  const { sandbox } = await busySandbox()
  for (let made = 0; made < 60; made++)
    await sandbox.control('POST', '/objects/items', { name: 'x'.repeat(4_000) })
  const response = await read(sandbox)
  const reader = (response.body ?? expect.fail('no body')).getReader()
  await reader.read()

  await sandbox.control('POST', '/reset')
  const readOn = async () => {
    while (!(await reader.read()).done);
  }

  await expect(readOn()).rejects.toThrow('the world was replaced')
})

test('a snapshot contains the world at the start of the snapshot, despite later changes', async () => {
  const { sandbox } = await busySandbox()
  const count = sandbox.store.length
  const response = await read(sandbox)
  await sandbox.control('POST', '/objects/items', {})

  const snapshot = readSnapshotLines(await response.text())
  const { status } = await sandbox.control('PUT', '/snapshot', snapshot)

  expect([snapshot['entries'].length, status, sandbox.store.length]).toEqual([count, 200, count])
})

test.each(['text/plain', 'application/json', 'application/jsonl; charset=utf-16', ''])(
  'a snapshot of type "%s" is rejected',
  async (type) => {
    const { sandbox } = await busySandbox()
    const request = new Request('http://bench.test/control/snapshot', {
      method: 'PUT',
      headers: { authorization: 'Bearer bench-token', 'content-type': type },
      body: '{}',
    })

    const { status } = await sandbox.bench(request)

    expect(status).toBe(415)
  },
)
