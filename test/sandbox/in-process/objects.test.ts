import { expect, test } from 'vitest'
import { createSandbox } from '../../../sandbox/index.ts'
import { NOTIFICATIONS } from '../../../spec/generated/notifications.ts'
import { notifiedTypes } from '../../../spec/notifications.ts'

const ID = '9a7b2f04-51c3-4d1e-8f60-2b7c9d0e1f23'
const AUTHORIZATION = `Basic ${btoa('sandbox@example.test:sandbox-token')}`

const kinds = notifiedTypes.flatMap((type) => {
  const rows: readonly { constants: Readonly<Record<string, string>>; nulls: readonly string[] }[] =
    NOTIFICATIONS[type].kinds
  const each = rows.length === 0 ? [{}] : rows.filter(({ nulls }) => nulls.length === 0)
  return each.map((row) => ({ type, fields: 'constants' in row ? row.constants : {} }))
})

function shown(sandbox: Awaited<ReturnType<typeof createSandbox>>, path: string): Promise<Response> {
  const headers = { authorization: AUTHORIZATION }
  return sandbox.fetch(new Request(`https://service.test${path}`, { headers }))
}

test.each(kinds)('a collection seeds $type with $fields for the service', async (kind) => {
  await using sandbox = await createSandbox({
    receivers: { [kind.type]: () => new Response() },
  })

  const seeded = await sandbox.data[kind.type].create(kind.fields)
  const id = 'uuid' in seeded ? seeded.uuid : seeded.id
  await sandbox.settle()

  const answer = await shown(sandbox, `/${kind.type}/${id}`)
  const body = JSON.parse(await answer.text())
  expect(seeded).toMatchObject(kind.fields)
  expect(kind.type === 'virtual_accounts' ? body : body[kind.type]).toEqual(seeded)
  expect(sandbox.data[kind.type].count()).toBe(1)
  await sandbox.expectNoDelivery()
})

test('a collection is queried by fields and conditions', async () => {
  await using sandbox = await createSandbox()
  await sandbox.play('card-payin', { amount: 1200 })

  const { transactions, items } = sandbox.data
  const paid = transactions.findFirst((query) => query.where({ type_method: 'credit_card' }))
  const completed = items.findMany((query) =>
    query.where({ state: 'completed', amount: (amount) => amount > 1000 }),
  )

  expect(paid?.amount).toBe(1200)
  expect(completed.map(({ id }) => id)).toEqual([paid?.account_id])
})

test.each(notifiedTypes)('the collection of %s rejects updates and deletions', async (type) => {
  await using sandbox = await createSandbox()
  const row = await sandbox.data[type].create({})
  const remedy = `Call sandbox.change('${type}', id, …)`

  // oxlint-disable-next-line typescript/no-explicit-any -- the eight collections have no common type to call
  const collection = sandbox.data[type] as any
  const update = collection.update(row, { data: (draft: object) => void Object.assign(draft, { id: 'x' }) })

  await expect(update).rejects.toThrow(`Cannot update ${type} through the collection. ${remedy}`)
  expect(() => collection.delete(row)).toThrow(
    `Cannot delete ${type}: the service keeps every object. ${remedy}`,
  )
  expect(() => collection.clear()).toThrow(remedy)
  expect(sandbox.data[type].all()).toEqual([row])
})

test('a hook of a collection can seed an object of another type', async () => {
  await using sandbox = await createSandbox()
  // oxlint-disable-next-line typescript/no-misused-promises -- a collection waits for its listeners
  sandbox.data.items.hooks.on('create', async ({ data: { record } }) => {
    await sandbox.data.companies.create({ legal_name: record.name })
  })

  const row = await sandbox.data.items.create({ name: 'Seeded' })
  await sandbox.change('items', row.id, { name: 'Changed' })

  expect(sandbox.data.companies.all().map(({ legal_name }) => legal_name)).toEqual(['Seeded'])
  expect([row, ...sandbox.data.items.all()].map(({ name }) => name)).toEqual(['Seeded', 'Changed'])
})

test.each([
  ['items', { currency: 'dollars' }, 'Cannot seed items: "currency" cannot be "dollars": it must match'],
  ['accounts', { amount: '5' }, 'Cannot seed accounts: "amount" takes a whole number, not "5"'],
] as const)('a collection rejects %s with %j', async (type, fields, message) => {
  await using sandbox = await createSandbox()

  await expect(sandbox.data[type].create(fields as never)).rejects.toThrow(message)
  expect(sandbox.data[type].count()).toBe(0)
})

test('a collection rejects a second object with the same id', async () => {
  await using sandbox = await createSandbox()

  const both = await Promise.allSettled([
    sandbox.data.items.create({ id: ID, name: 'First' }),
    sandbox.data.items.create({ id: ID, name: 'Second' }),
  ])

  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  await expect(sandbox.data.items.create({ id: ID })).rejects.toThrow(
    `Cannot create items "${ID}": an object with this id exists`,
  )
  expect(sandbox.data.items.all().map(({ name }) => name)).toEqual(['First'])
})

test('a seeded object has one row in its collection even when the object changes immediately', async () => {
  await using sandbox = await createSandbox()

  const seeding = sandbox.data.items.createMany(3, (index) => ({ name: `Seeded ${index}` }))
  const changed = new Promise<unknown>((resolve, reject) => {
    sandbox.data.items.hooks.on('create', ({ data: { record } }) => {
      if (record.name === 'Seeded 2')
        sandbox.change('items', record.id, { name: 'Changed' }).then(resolve, reject)
    })
  })
  await seeding
  await changed

  const names = sandbox.data.items.all().map(({ name }) => name)
  expect(names).toEqual(['Seeded 0', 'Seeded 1', 'Changed'])
})
