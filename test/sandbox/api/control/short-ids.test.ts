import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

/** As tables print it. */
const short = (id: string) => `${id.slice(0, 8)}…`

test('a short id stands for the one job, object, payment, fault or delivery that begins with it', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 204 : 503) })
  const registration = await sandbox.register()
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('POST', '/clock/advance', { by: '0s' })
  const { body: played } = await sandbox.control('POST', '/payments', {
    kind: 'card-payin',
    item: short(item.id),
    pace: 'stepwise',
  })
  const fault = { on: 'delivery', kind: 'duplicate', match: { object_id: 'x' } }
  const { body: added } = await sandbox.control('POST', '/faults', fault)
  const { body: delivered } = await sandbox.control('POST', '/deliveries', {
    registration: short(registration),
    raw: '',
  })
  const { body: listed } = await sandbox.control(
    'GET',
    `/jobs?object_id=${encodeURIComponent(short(item.id))}`,
  )
  const [job] = listed.jobs
  const ask = async (method: string, path: string, body?: unknown) =>
    (await sandbox.control(method, encodeURI(path), body)).body

  expect(played.objects).toContainEqual(expect.objectContaining({ role: 'item', id: item.id }))
  expect(delivered.registration_id).toBe(registration)
  expect(job.object_id).toBe(item.id)
  expect((await ask('GET', `/jobs/${job.id.slice(0, 8)}`)).job.id).toBe(job.id)
  expect((await ask('GET', `/jobs/${short(job.id)}`)).job.id).toBe(job.id)
  expect((await ask('POST', `/jobs/${short(job.id)}/resend`)).job.id).toBe(job.id)
  expect((await ask('GET', `/objects/items/${short(item.id)}`)).id).toBe(item.id)
  expect((await ask('PATCH', `/objects/items/${short(item.id)}`, { name: 'New' })).id).toBe(item.id)
  expect((await ask('POST', `/objects/items/${short(item.id)}/transitions`, { to: 'completed' })).id).toBe(
    item.id,
  )
  expect((await ask('GET', `/payments/${short(played.id)}`)).id).toBe(played.id)
  expect((await ask('POST', `/payments/${short(played.id)}/next`)).id).toBe(played.id)
  expect((await ask('GET', `/deliveries/${short(delivered.id)}`)).id).toBe(delivered.id)
  expect((await ask('DELETE', `/faults/${short(added.id)}`)).id).toBe(added.id)
})

test('a short id of which several begin is refused with all of them, and one of three characters never fits', async () => {
  const sandbox = testSandbox()
  for (const id of ['buyer-1', 'buyer-10', 'buyer-2']) await sandbox.control('POST', '/objects/users', { id })

  const several = await sandbox.control('GET', '/objects/users/buyer')
  const exact = await sandbox.control('GET', '/objects/users/buyer-1')
  const tooShort = await sandbox.control('GET', '/objects/users/buy')

  expect(several).toEqual({
    status: 409,
    body: {
      error: {
        code: 'ambiguous_id',
        field: 'id',
        message: 'Cannot tell which is meant by "buyer": buyer-1, buyer-10 and buyer-2 begin so',
        hint: 'give more of its characters',
      },
    },
  })
  expect(exact.body.id).toBe('buyer-1')
  expect(tooShort.status).toBe(404)
})

test('a short id that a fault is to match stands for the one object, registration or job that begins with it', async () => {
  const sandbox = testSandbox()
  const registration = await sandbox.register()
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  const { id: job } = sandbox.store.jobs()[0] ?? { id: '' }
  const match = { object_id: short(item.id), registration_id: registration.slice(0, 8), job_id: short(job) }

  const { body: fault } = await sandbox.control('POST', '/faults', {
    on: 'delivery',
    kind: 'duplicate',
    match,
  })

  expect(fault.match).toEqual({ object_id: item.id, registration_id: registration, job_id: job })
})

test('a short id that a fault is to match is refused where several objects of its type begin so', async () => {
  const sandbox = testSandbox()
  for (const id of ['buyer-1', 'buyer-2']) await sandbox.control('POST', '/objects/users', { id })
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  const add = (match: object) => sandbox.control('POST', '/faults', { on: 'api', kind: 'hang', match })

  const several = await add({ object_type: 'users', object_id: 'buyer' })
  const single = await add({ object_type: 'items', object_id: short(item.id) })
  const unknown = await add({ object_id: 'not-made-yet' })

  expect([several.status, several.body.error]).toMatchObject([
    409,
    {
      code: 'ambiguous_id',
      field: 'match/object_id',
      message: expect.stringContaining('buyer-1 and buyer-2'),
    },
  ])
  expect([single.body.match.object_id, unknown.body.match.object_id]).toEqual([item.id, 'not-made-yet'])
})
