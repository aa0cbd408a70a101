import { expect, test } from 'vitest'
import type { HttpMessage } from '../../../../sandbox/engine/core/ports.ts'
import { RECEIVER, type TestOptions, type TestSandbox, testSandbox } from '../../../support/test-sandbox.ts'
import { createMemoryDatabase } from '../../../support/stores.ts'

const URL_OF = (type: string) => `https://localhost:9443/notifications/${type}/3f9c1d2ab47e8051`

interface Posted {
  readonly id: string
  readonly state: string
}

function read({ body }: HttpMessage): Posted | undefined {
  const [[type, object] = []] = Object.entries<Posted>(JSON.parse(Buffer.from(body).toString()))
  return type === 'message' || !object ? undefined : { id: object.id, state: `${type} ${object.state}` }
}

const posted = ({ transport }: TestSandbox) =>
  transport.messages.flatMap((message) => read(message)?.state ?? [])

async function slowAboutBatches(options: TestOptions = {}) {
  const answers: ((status: number) => void)[] = []
  const sandbox = testSandbox({
    ...options,
    script: (message) =>
      read(message)?.state.startsWith('batch_transactions') === true
        ? new Promise<number>((resolve) => answers.push(resolve))
        : 200,
  })
  return { sandbox, answer: (status = 200) => answers.shift()?.(status) }
}

async function registerBoth({ call }: TestSandbox, path = '/webhooks'): Promise<void> {
  for (const object_type of ['batch_transactions', 'transactions'])
    await call('POST', path, { url: URL_OF(object_type), object_type })
}

/** Plays all steps of a BPAY pay-in immediately. */
async function playAtOnce({ control }: TestSandbox, kind = 'bpay-payin'): Promise<void> {
  const { body } = await control('POST', '/payments', { kind, pace: 'stepwise' })
  await control('POST', `/payments/${body.id}/next`)
}

/** Waits for ten event-loop turns. After the wait, the sandbox sends no more messages. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => void setImmediate(resolve))
}

const STEPS = ['batch_transactions bpay_pending', 'batch_transactions successful', 'transactions successful']

test.each(['/webhooks', '/callbacks'])(
  'a payment step that is sent to %s waits for the first attempt of the previous step',
  async (path) => {
    const { sandbox, answer } = await slowAboutBatches()
    await registerBoth(sandbox, path)
    await playAtOnce(sandbox)

    const seen = []
    for (const status of [200, 503, 200]) {
      await settled()
      seen.push(posted(sandbox).length)
      answer(status)
    }
    await sandbox.idle()

    expect(seen).toEqual([1, 2, 3])
    expect(posted(sandbox)).toEqual(STEPS)
  },
)

test('the steps of an automatic payment are sent in order to a slow receiver', async () => {
  const { sandbox, answer } = await slowAboutBatches()
  await registerBoth(sandbox)
  const played = sandbox.control('POST', '/payments', { kind: 'bpay-payin' })
  await settled()

  // Moves the time by more than the maximum wait of a payment step.
  sandbox.realTime.move(2_500)
  await played
  answer()
  await settled()
  answer()
  await sandbox.idle()

  expect(posted(sandbox)).toEqual(STEPS)
})

test('the next step of an automatic payment waits a second for a notification that a fault holds back', async () => {
  const sandbox = testSandbox()
  await registerBoth(sandbox)
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'reorder', times: 1 })

  const played = sandbox.control('POST', '/payments', { kind: 'bpay-payin' })
  await settled()
  const meanwhile = sandbox.store.paymentAt(0)?.step
  sandbox.realTime.move(1_000)
  await played
  await sandbox.idle()

  expect([meanwhile, sandbox.store.paymentAt(0)?.step]).toEqual([1, 2])
  expect(posted(sandbox).indexOf(STEPS[1] ?? '')).toBeLessThan(posted(sandbox).indexOf(STEPS[0] ?? ''))
})

test('a due step that waits for a slow receiver is taken once, even if it becomes due again', async () => {
  const { sandbox, answer } = await slowAboutBatches()
  await registerBoth(sandbox)
  const played = sandbox.control('POST', '/payments', { kind: 'direct-debit-payin' })
  await settled()
  const payment = sandbox.store.paymentAt(0)
  if (!payment) throw new Error('The sandbox has no payment')

  // A repeated entry makes the waiting step due again.
  await sandbox.commit([{ kind: 'payment', payment }])
  answer()
  await settled()
  const meanwhile = sandbox.store.paymentAt(0)?.step
  for (let step = 0; step < 3; step++) {
    answer()
    await settled()
  }
  await played

  expect([payment.step, meanwhile, sandbox.store.paymentAt(0)?.step]).toEqual([1, 2, 3])
})

test('a payment does not block other payments, and a retry does not block a later step', async () => {
  const { sandbox, answer } = await slowAboutBatches()
  await registerBoth(sandbox)
  await playAtOnce(sandbox)

  await playAtOnce(sandbox, 'npp-payin')
  await sandbox.control('POST', '/payments', { kind: 'bpay-payin', pace: 'stepwise' })
  await settled()
  const meanwhile = posted(sandbox)
  answer(503)
  await settled()

  expect(meanwhile).toEqual([STEPS[0], 'transactions successful', STEPS[0]])
  expect(posted(sandbox).at(-1)).toBe(STEPS[1])
})

const DIRECT_DEBIT = { kind: 'direct-debit-payin', pace: 'instant' }

async function registerBatches({ call }: TestSandbox): Promise<void> {
  const body = { url: `${RECEIVER}/batches`, object_type: 'batch_transactions' }
  expect((await call('POST', '/webhooks', body)).status).toBe(201)
}

const stateOf = ({ body }: HttpMessage): string =>
  JSON.parse(Buffer.from(body).toString('utf8')).batch_transactions?.state

test('a step of a payment does not wait for a cancelled notification', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: (_, index) => (index === 1 ? answer.promise : 200) })
  const uuid = await sandbox.register()
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('PATCH', `/objects/items/${item.id}`, { name: 'Behind the first' })
  const played = sandbox.control('POST', '/payments', { ...DIRECT_DEBIT, item: item.id })
  await sandbox.control('GET', '/clock')
  await sandbox.call('DELETE', `/webhooks/${uuid}`)

  answer.resolve(200)
  const { body } = await played

  expect([body.step, body.steps]).toEqual([3, 3])
  expect(sandbox.attempts.length).toBe(1)
})

test('a step of a payment waits for an interrupted notification after a restart', async () => {
  const database = createMemoryDatabase()
  const first = testSandbox({
    store: database.open(),
    script: (_, index) => (index === 1 ? new Promise(() => {}) : 200),
  })
  await registerBatches(first)
  void first.control('POST', '/payments', DIRECT_DEBIT)
  await expect.poll(() => first.transport.messages.length).toBe(2)

  const answer = Promise.withResolvers<number>()
  const second = testSandbox({
    store: database.open(),
    script: (_, index) => (index === 0 ? answer.promise : 200),
  })
  await expect.poll(() => second.transport.messages.length).toBe(1)
  await second.control('GET', '/clock')
  expect(second.transport.messages.map(stateOf)).toEqual(['batched'])
  answer.resolve(200)

  await expect
    .poll(() => second.transport.messages.map(stateOf))
    .toEqual(['batched', 'bank_processing', 'successful'])
})
