import { expect, test } from 'vitest'
import { ask, registerCallback, withoutEffect } from '../../../support/requests.ts'
import { RECEIVER, START, type TestOptions, testSandbox } from '../../../support/test-sandbox.ts'

const OTHER = 'https://localhost:9444/notifications/items/0a1b2c3d4e5f6071'

test('a second enabled callback of one type is rejected, but a disabled callback or webhook is accepted', async () => {
  const sandbox = testSandbox()
  const first = await registerCallback(sandbox)
  const taken = {
    status: 422,
    body: {
      errors: {
        object_type: [`callback "${first}" is already enabled for items; disable, change or delete it first`],
      },
    },
  }

  const second = await sandbox.call('POST', '/callbacks', { url: OTHER, object_type: 'items' })
  const disabled = await registerCallback(sandbox, { enabled: false })
  const enabling = await sandbox.call('PATCH', `/callbacks/${disabled}`, { enabled: true })
  const webhook = await sandbox.register()

  expect([second, enabling]).toEqual([taken, taken])
  expect(sandbox.store.enabledRegistration('callbacks', 'items')?.id).toBe(first)
  expect(sandbox.store.enabledRegistration('webhooks', 'items')?.id).toBe(webhook)
})

test('only one of two simultaneous registrations of a type is created', async () => {
  const both = Promise.withResolvers<number>()
  const sandbox = testSandbox({
    script(_, index) {
      if (index === 1) both.resolve(200)
      return both.promise
    },
  })
  const create = () => sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type: 'items' })

  const answers = await Promise.all([create(), create()])

  const [first, second] = answers.toSorted((a, b) => a.status - b.status)
  expect([first?.status, second?.status]).toEqual([201, 422])
  expect(Object.keys(second?.body.errors)).toEqual(['object_type'])
})

test('a callback occupies its new object type and frees its old object type when the type changes', async () => {
  const sandbox = testSandbox()
  const id = await registerCallback(sandbox)
  const users = await registerCallback(sandbox, { object_type: 'users' })

  const taken = await sandbox.call('PATCH', `/callbacks/${id}`, { object_type: 'users' })
  const moved = await sandbox.call('PATCH', `/callbacks/${id}`, { object_type: 'accounts' })
  const successor = await registerCallback(sandbox)

  expect([taken.status, Object.keys(taken.body.errors), moved.status]).toEqual([422, ['object_type'], 200])
  const { enabledRegistration } = sandbox.store
  expect([
    enabledRegistration('callbacks', 'items')?.id,
    enabledRegistration('callbacks', 'users')?.id,
    enabledRegistration('callbacks', 'accounts')?.id,
  ]).toEqual([successor, users, id])
})

test('a callback change is rejected when its type is taken or the callback is deleted during the test POST', async () => {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({
    script({ url }) {
      if (url !== OTHER) return 200
      asked.resolve()
      return answer.promise
    },
  })
  const [first, second] = [
    await registerCallback(sandbox, { enabled: false }),
    await registerCallback(sandbox, { enabled: false }),
  ]

  const changing = [first, second].map((id) =>
    sandbox.call('PATCH', `/callbacks/${id}`, { url: OTHER, enabled: true }),
  )
  await asked.promise
  await registerCallback(sandbox)
  await sandbox.call('DELETE', `/callbacks/${second}`)
  answer.resolve(200)

  expect(await Promise.all(changing)).toMatchObject([
    { status: 422, body: { errors: { object_type: [expect.any(String)] } } },
    { status: 404, body: { errors: { id: ['not found'] } } },
  ])
})

const EARLIER: TestOptions = { readings: { 'callback-list': 'earlier' } }

test.each([
  [{ url: OTHER }, { url: OTHER }],
  [{ object_type: 'users' }, { object_type: 'users' }],
  [{ enabled: '0' }, { enabled: false }],
  [{ enabled: false, description: 'Mine', id: 'x' }, { enabled: false }],
])('PATCH /callbacks/:id with %j changes the callback to %j', async (sent, changed) => {
  const sandbox = testSandbox()
  const id = await registerCallback(sandbox, { description: 'Shop' })
  const before = await sandbox.call('GET', `/callbacks/${id}`)
  await sandbox.advance(START + 60_000)

  const { status, body } = await sandbox.call('PATCH', `/callbacks/${id}`, sent)

  const updated_at = new Date(START + 60_000).toISOString()
  expect([status, body.callbacks]).toEqual([200, { ...before.body.callbacks, ...changed, updated_at }])
  expect(await sandbox.call('GET', `/callbacks/${id}`)).toEqual({ status: 200, body })
})

test.each([{}, { description: 'Mine' }, { enabled: true }, { url: RECEIVER, object_type: 'items' }])(
  'PATCH /callbacks/:id with %j stores nothing and sends nothing',
  async (sent) => {
    const sandbox = testSandbox()
    const id = await registerCallback(sandbox)
    const before = await sandbox.call('GET', `/callbacks/${id}`)
    await sandbox.advance(START + 60_000)

    const answer = await ask(sandbox, `/callbacks/${id}`, { method: 'PATCH', body: JSON.stringify(sent) })

    expect(answer).toMatchObject(withoutEffect(200))
    expect(answer.body).toEqual(before.body)
  },
)

test.each([
  [{ object_type: 'virtual_accounts' }, {}, 'object_type'],
  [{ object_type: 'accounts' }, EARLIER, 'object_type'],
  [{ url: 'http://localhost:9443/x' }, {}, 'url'],
  [{ enabled: 'perhaps' }, {}, 'enabled'],
])('PATCH /callbacks/:id rejects %j and changes nothing', async (sent, options, field) => {
  const sandbox = testSandbox(options)
  const id = await registerCallback(sandbox)

  const answer = await ask(sandbox, `/callbacks/${id}`, { method: 'PATCH', body: JSON.stringify(sent) })

  expect(answer).toMatchObject(withoutEffect(422))
  expect(answer.body).toEqual({ errors: { [field]: [expect.any(String)] } })
})
