import { expect, test } from 'vitest'
import { createMemoryLog, StorageError, type Log } from '../../../sandbox/engine/state/log.ts'
import { createFailingLog } from '../../support/failing-log.ts'
import { RECEIVER, testSandbox, type TestOptions } from '../../support/test-sandbox.ts'

async function openAway(options: TestOptions = {}) {
  const disk = createFailingLog()
  const sandbox = testSandbox({ ...options, log: disk.log })
  await sandbox.register()
  return { disk, sandbox, sent: () => sandbox.transport.messages.length - 1 }
}

test.each([
  ['POST', '/objects/items', {}],
  ['POST', '/deliveries', { url: RECEIVER, body: {} }],
  ['POST', '/payments', { kind: 'bpay-payin' }],
  ['POST', '/clock/advance', { by: '1h' }],
  ['PATCH', '/readings', { 'retry-window': 'five-attempts' }],
  ['POST', '/reset', undefined],
] as const)(
  'while the log is away %s %s is refused with 503, sends nothing, and is taken when it is back',
  async (method, path, body) => {
    const { disk, sandbox, sent } = await openAway()
    disk.fail('away')
    await sandbox.control('POST', '/objects/items', {})

    const refused = await sandbox.control(method, path, body)
    const sentMeanwhile = sent()
    disk.mend()
    sandbox.realTime.move(1_000)
    const { status } = await sandbox.control(method, path, body)

    expect([refused.status, refused.body.error.code, sentMeanwhile]).toEqual([503, 'storage_away', 0])
    expect([status < 300, sandbox.errors]).toEqual([true, []])
  },
)

test('while the log is away reads are answered, changes say when to try again, and the health says why', async () => {
  const { disk, sandbox } = await openAway()
  disk.fail('away')
  await sandbox.control('POST', '/objects/items', {})

  const { status } = await sandbox.call('GET', '/webhooks')
  const health = await sandbox.control('GET', '/health')
  const refused = await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'accounts' })

  expect([status, refused.status]).toEqual([200, 503])
  expect(health.body).toMatchObject({ status: 'storage_away', ready: false, reason: 'The store is away' })
  expect(sandbox.problems.map((problem) => problem?.kind)).toEqual(['away'])
})

test('a call that is refused as the log is away says after how many seconds it may be made again', async () => {
  const { disk, sandbox } = await openAway()
  disk.fail('away')
  const request = new Request('http://bench.test/control/reset', {
    method: 'POST',
    headers: { authorization: 'Bearer bench-token' },
  })

  const answer = await sandbox.bench(request)

  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
})

test('a change of a world that another node has is answered 503, and the world takes nothing more', async () => {
  const { disk, sandbox } = await openAway()
  disk.fail('fenced')

  const first = await sandbox.control('POST', '/objects/items', {})
  disk.mend()
  sandbox.realTime.move(60_000)
  const second = await sandbox.control('POST', '/objects/items', {})

  expect([first.status, first.body.error.code, second.status]).toEqual([503, 'world_moving', 503])
  expect(sandbox.problems.map((problem) => problem?.kind)).toEqual(['fenced'])
})

test('what fell due while the log was away is sent when it is back', async () => {
  const { disk, sandbox, sent } = await openAway({ script: (_, index) => (index === 1 ? 503 : 200) })
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  disk.fail('away')
  await sandbox.control('POST', '/clock/advance', { by: '24h' })
  const sentMeanwhile = sent()
  disk.mend()
  sandbox.realTime.move(1_000)
  await sandbox.control('POST', '/clock/advance', { by: '24h' })

  expect([sentMeanwhile, sent()]).toEqual([1, 2])
  expect(sandbox.store.jobs().map(({ status }) => status)).toEqual(['success'])
})

test('what is due and cannot be read at present is sent when it can', async () => {
  const memory = createMemoryLog()
  let [isAway, refused] = [false, 0]
  const log: Log = {
    ...memory,
    get length() {
      return memory.length
    },
    read(position) {
      if (isAway && refused++ >= 0) throw new StorageError('away', 'Cannot read it now')
      return memory.read(position)
    },
  }
  const sandbox = testSandbox({ log, script: (_, index) => (index === 1 ? 503 : 200) })
  await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  isAway = true

  const advancing = sandbox.control('POST', '/clock/advance', { by: '24h' })
  await expect.poll(() => refused).toBeGreaterThan(0)
  isAway = false
  await expect.poll(() => (sandbox.realTime.move(1_000), sandbox.transport.messages.length)).toBe(3)

  expect([(await advancing).status, sandbox.errors]).toEqual([200, []])
})

/** A log that replaces everything elsewhere, and cannot be reached while it does: what became of that shows later. */
function createPendingLog() {
  const memory = createMemoryLog()
  const known = Promise.withResolvers<void>()
  const problem = new StorageError('away', 'The store is away')
  let tell: (problem: StorageError | undefined) => void = () => {}
  const told: string[] = []
  const log: Log = {
    ...memory,
    get length() {
      return memory.length
    },
    onProblem: (listener) => void (tell = listener),
    recover() {},
    stage() {
      const staged: Parameters<Log['append']>[0][number][] = []
      return {
        add: (entries) => void staged.push(...entries),
        commit() {
          told.push('sent')
          return known.promise
        },
        publish() {
          told.push('published')
          memory.replace(staged)
        },
        discard: () => void told.push('discarded'),
      }
    },
  }
  return {
    log,
    told,
    goAway: () => tell(problem),
    comeBack(isDone: boolean) {
      if (isDone) known.resolve()
      else known.reject(problem)
      setImmediate(() => tell(undefined))
    },
  }
}

test.each([
  ['a reset', 'done', 0],
  ['a reset', 'not done', 1],
  ['a snapshot', 'done', 1],
  ['a snapshot', 'not done', 2],
] as const)(
  'whoever asked for %s that nobody knows of as the log is away is told so, and the world is right when it is back (%s)',
  async (what, outcome, count) => {
    const { log, told, goAway, comeBack } = createPendingLog()
    const sandbox = testSandbox({ log })
    await sandbox.control('POST', '/objects/items', { name: 'Lamp' })
    const { body: snapshot } = await sandbox.control('GET', '/snapshot')
    if (what === 'a snapshot') await sandbox.control('POST', '/objects/items', { name: 'Sofa' })

    const asking =
      what === 'a reset' ? sandbox.control('POST', '/reset') : sandbox.control('PUT', '/snapshot', snapshot)
    await expect.poll(() => told).toEqual(['sent'])
    goAway()
    const { status, body } = await asking
    const toldMeanwhile = [...told]
    const again = await sandbox.control('POST', '/objects/items', {})
    comeBack(outcome === 'done')
    await expect.poll(() => sandbox.problems.length).toBe(2)
    const { body: listed } = await sandbox.control('GET', '/objects/items')
    const { status: taken } = await sandbox.control('POST', '/objects/items', {})

    expect([status, body.error.code, again.status]).toEqual([503, 'storage_away', 503])
    expect(toldMeanwhile).toEqual(['sent'])
    expect(told).toEqual(['sent', outcome === 'done' ? 'published' : 'discarded'])
    expect(listed.objects).toHaveLength(count)
    expect([taken, sandbox.errors]).toEqual([201, []])
  },
)
