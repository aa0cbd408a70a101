import { expect, test } from 'vitest'
import { createClockAndRandom } from '../../../../sandbox/adapters/clock-and-random.ts'
import { ask } from '../../../support/requests.ts'
import { RECEIVER, testSandbox } from '../../../support/test-sandbox.ts'
import { openMemoryStore } from '../../../support/stores.ts'

test('an instant payment is answered at its end, with each step and its states', async () => {
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

test('settling sees a crafted delivery that is under way', async () => {
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

test('a crafted delivery is sent no more times in a world that is not its own', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: () => answer.promise })
  const crafted = sandbox.control('POST', '/deliveries', { url: RECEIVER, raw: 'x', times: 5 })
  await sandbox.control('GET', '/clock')
  await sandbox.control('POST', '/reset')
  answer.resolve(200)

  expect([(await crafted).status, sandbox.transport.messages.length]).toEqual([409, 1])
})

test('the clock is not set while an advance is under way', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : answer.promise) })
  await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  const advanced = sandbox.control('POST', '/clock/advance', { by: '1h' })
  await sandbox.control('GET', '/clock')

  const { status, body } = await sandbox.control('PATCH', '/clock', { mode: 'real' })
  answer.resolve(200)
  await advanced

  expect([status, body.error.message]).toEqual([
    409,
    'Cannot set the clock: an advance to 2026-01-01T01:00:00.000Z is under way',
  ])
})

test.each([{ to: '2026-02-30T00:00:00Z' }, { to: '2026-13-01T00:00:00Z' }])(
  'advance refuses %j, which no calendar has',
  async (sent) => {
    expect((await testSandbox().control('POST', '/clock/advance', sent)).status).toBe(422)
  },
)

test('a payment is not spread beyond the last instant', async () => {
  const played = await testSandbox().control('POST', '/payments', { kind: 'card-payin', pace: '99999999h' })

  expect([played.status, played.body.error.field]).toEqual([422, 'pace'])
})

test.each(['POST /control/reset', 'DELETE /control/faults'])(
  '%s takes no other type than JSON',
  async (line) => {
    const [method = '', path = ''] = line.split(' ')

    expect((await ask(testSandbox(), path, { method, type: 'text/plain' })).status).toBe(415)
  },
)

test('a clock goes on as it was set last, where the next start says nothing else', async () => {
  const store = openMemoryStore()
  const at = Date.parse('2026-01-01T00:00:00.000Z')
  await store.commit([{ head: { kind: 'clock', at, speed: 50 }, body: '' }])

  const { clock } = createClockAndRandom({}, store)
  const { clock: told } = createClockAndRandom({ speed: 0 }, store)

  expect([clock.speed, clock.now() - at < 60_000, told.speed]).toEqual([50, true, 0])
})
