import { expect, test } from 'vitest'
import {
  atRest,
  makeItems,
  RECEIVER,
  registeredSandbox,
  sandboxWithJob,
  START,
  testSandbox,
} from '../../../support/test-sandbox.ts'

test('POST /clock/advance moves the clock by a duration or to an instant and counts the attempts made', async () => {
  const sandbox = await sandboxWithJob(() => 500)

  const by = await sandbox.control('POST', '/clock/advance', { by: '25m' })
  const to = await sandbox.control('POST', '/clock/advance', { to: '2026-01-01T01:45:00.000Z' })

  expect(by.body).toEqual({ now: '2026-01-01T00:25:00.000Z', attempts: 2 })
  expect(to.body).toEqual({ now: '2026-01-01T01:45:00.000Z', attempts: 1 })
  expect((await sandbox.control('GET', '/clock')).body).toEqual({
    mode: 'manual',
    speed: 0,
    now: to.body.now,
  })
})

test.each([
  [{}, 'give one of "by" and "to"'],
  [{ by: 'soon' }, 'the value must be a duration such as 25m'],
  [{ to: '9999-01-01T00:00:00.000Z' }, 'the clock stops at 9998-12-31T23:59:59.999Z'],
  [{ to: '2025-12-31T00:00:00.000Z' }, 'never goes back'],
  [{ to: 'tomorrow' }, 'the value must be an instant such as'],
  [{ by: 25 }, '"by" takes text, not 25'],
])('POST /clock/advance rejects %j', async (sent, message) => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.control('POST', '/clock/advance', sent)

  expect(status).toBe(422)
  expect(body.error.message).toContain(message)
  expect(sandbox.context.now()).toBe(START)
})

const AT_START = new Date(START).toISOString()

test.each([
  [{ mode: 'real' }, 'real', 1],
  [{ speed: 1 }, 'real', 1],
  [{ mode: 'compressed' }, 'compressed', 300],
  [{ speed: 1_000_000 }, 'compressed', 1_000_000],
  [{ speed: 0 }, 'manual', 0],
])('PATCH /clock with %j sets the clock to %s at speed %d and keeps the time', async (sent, mode, speed) => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.control('PATCH', '/clock', sent)

  expect({ status, body }).toEqual({ status: 200, body: { mode, speed, now: AT_START } })
  expect((await sandbox.control('GET', '/clock')).body).toEqual(body)
})

test.each([
  [{}, 'mode', 'give "mode", "speed" or both'],
  [
    { mode: 'real', speed: 2 },
    'speed',
    'Cannot set the clock to real at speed 2: the speed of this mode is 1',
  ],
  [{ mode: 'compressed', speed: 0 }, 'speed', 'use the mode manual'],
  [{ speed: 1_000_001 }, 'speed', '"speed" takes 1000000 or less, not 1000001'],
])('PATCH /clock rejects %j and keeps the clock', async (sent, field, message) => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.control('PATCH', '/clock', sent)

  expect([status, body.error.field]).toEqual([422, field])
  expect(body.error.message).toContain(message)
  expect((await sandbox.control('GET', '/clock')).body).toEqual({ mode: 'manual', speed: 0, now: AT_START })
  expect(sandbox.store.length).toBe(0)
})

test('a clock continues without a jump when its speed is changed', async () => {
  const sandbox = testSandbox()
  const shown: string[] = []
  for (const [sent, realMs] of [
    [{ mode: 'compressed', speed: 60 }, 1_000],
    [{ mode: 'real' }, 1_000],
    [{ mode: 'manual' }, 5_000],
    [{ mode: 'compressed' }, 1_000],
  ] as const) {
    await sandbox.control('PATCH', '/clock', sent)
    sandbox.realTime.move(realMs)
    shown.push((await sandbox.control('GET', '/clock')).body.now)
  }

  expect(shown).toEqual([
    '2026-01-01T00:01:00.000Z',
    '2026-01-01T00:01:01.000Z',
    '2026-01-01T00:01:01.000Z',
    '2026-01-01T00:06:01.000Z',
  ])
})

test('a retry falls due at the new speed when the speed of the clock is changed', async () => {
  const sandbox = await sandboxWithJob(() => 500)

  await sandbox.control('PATCH', '/clock', { speed: 300 })
  sandbox.realTime.move(999)
  await atRest(sandbox)
  const before = sandbox.attempts.length
  sandbox.realTime.move(1)
  await atRest(sandbox)
  await sandbox.control('PATCH', '/clock', { mode: 'manual' })
  sandbox.realTime.move(3_600_000)
  await atRest(sandbox)

  expect([before, sandbox.attempts.map(({ started_at }) => started_at - START)]).toEqual([1, [0, 300_000]])
})

test('the response to an instant payment lists each step of the payment', async () => {
  const sandbox = testSandbox()

  const { body } = await sandbox.control('POST', '/payments', { kind: 'direct-debit-payin' })

  expect([body.step, body.steps]).toEqual([3, 3])
  expect(body.moves.map(({ step, objects }: never) => [step, objects])).toEqual(
    ['batched', 'bank_processing', 'successful'].map((state, index) => [
      index + 1,
      [{ object_type: 'batch_transactions', id: body.objects[0].id, state }],
    ]),
  )
})

test('POST /settle waits for a crafted delivery in flight', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: () => answer.promise })
  const crafted = sandbox.control('POST', '/deliveries', { url: RECEIVER, raw: 'x' })
  await sandbox.control('GET', '/clock')

  const settled = sandbox.control('POST', '/settle', { timeout_ms: 0 })
  await sandbox.control('GET', '/clock')
  sandbox.realTime.move(20)

  expect((await settled).body).toEqual({ settled: false, waiting_for: [{ what: 'posts', count: 1 }] })
  answer.resolve(200)
  expect((await crafted).status).toBe(201)
})

test('a crafted delivery makes no further repetitions when the world is reset', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: () => answer.promise })
  const crafted = sandbox.control('POST', '/deliveries', { url: RECEIVER, raw: 'x', times: 5 })
  await sandbox.control('GET', '/clock')
  await sandbox.control('POST', '/reset')
  answer.resolve(200)

  expect([(await crafted).status, sandbox.transport.messages.length]).toEqual([409, 1])
})

test('PATCH /clock is rejected during an advance', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await registeredSandbox(() => answer.promise)
  await makeItems(sandbox, 1)
  const advanced = sandbox.control('POST', '/clock/advance', { by: '1h' })
  await sandbox.control('GET', '/clock')

  const { status, body } = await sandbox.control('PATCH', '/clock', { mode: 'real' })
  answer.resolve(200)
  await advanced

  expect([status, body.error.message]).toEqual([
    409,
    'Cannot set the clock: an advance to 2026-01-01T01:00:00.000Z is in progress',
  ])
})

test('a payment is rejected when its pace exceeds the last instant of the clock', async () => {
  const played = await testSandbox().control('POST', '/payments', { kind: 'card-payin', pace: '99999999h' })

  expect([played.status, played.body.error.field]).toEqual([422, 'pace'])
})
