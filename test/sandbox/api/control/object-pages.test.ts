import { expect, test } from 'vitest'
import { START, testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'

async function withItems(count: number): Promise<{ sandbox: TestSandbox; ids: string[] }> {
  const sandbox = testSandbox()
  const ids: string[] = []
  for (let made = 0; made < count; made++)
    ids.push((await sandbox.control('POST', '/objects/items', {})).body.id)
  return { sandbox, ids }
}

const idsOf = (objects: readonly { readonly id: string }[]) => objects.map(({ id }) => id)

test('objects are listed a page at a time, the newest page first, oldest first on each', async () => {
  const { sandbox, ids } = await withItems(5)

  const { body: newest } = await sandbox.control('GET', '/objects/items?limit=2')
  const { body: middle } = await sandbox.control('GET', `/objects/items?limit=2&before=${newest.before}`)
  const { body: oldest } = await sandbox.control('GET', `/objects/items?limit=2&before=${middle.before}`)

  expect([newest, middle, oldest].map(({ objects }) => idsOf(objects))).toEqual([
    ids.slice(3),
    ids.slice(1, 3),
    ids.slice(0, 1),
  ])
  expect([newest.older, middle.older, oldest.older, oldest.before]).toEqual([3, 1, 0, null])
  expect(newest.objects[0]).toEqual({ object_type: 'items', id: ids[3], revision: 1, state: 'pending' })
})

test('objects are found by the beginning of their id and by their state', async () => {
  const { sandbox, ids } = await withItems(3)
  await sandbox.control('POST', `/objects/items/${ids[1]}/transitions`, { to: 'completed' })

  const { body: byId } = await sandbox.control('GET', `/objects/items?id=${ids[2]}`)
  const { body: byState } = await sandbox.control('GET', '/objects/items?state=completed')
  const { body: neither } = await sandbox.control('GET', `/objects/items?id=${ids[2]}&state=completed`)

  expect([byId, byState, neither].map(({ objects }) => idsOf(objects))).toEqual([[ids[2]], [ids[1]], []])
})

test('a page looks through no more objects than it is told to, however few are in the state', async () => {
  const { sandbox, ids } = await withItems(3)
  await sandbox.control('POST', `/objects/items/${ids[0]}/transitions`, { to: 'completed' })

  const { body } = await sandbox.control('GET', '/objects/items?state=completed&limit=2')

  expect(body).toEqual({ objects: [], older: 1, before: '1' })
})

test('objects whose body shows no state, and types without any, are listed', async () => {
  const sandbox = testSandbox()
  await sandbox.control('POST', '/objects/companies', {})

  const { body: companies } = await sandbox.control('GET', '/objects/companies')
  const { body: disbursements } = await sandbox.control('GET', '/objects/disbursements')

  expect(companies.objects.map(({ state }: { state: unknown }) => state)).toEqual([null])
  expect(disbursements).toEqual({ objects: [], older: 0, before: null })
})

test('objects are listed as they were, and unknown types and cursors are refused', async () => {
  const { sandbox } = await withItems(1)
  const then = new Date(START).toISOString()
  await sandbox.control('POST', '/clock/advance', { by: '5m' })
  await sandbox.control('POST', '/objects/items', {})

  const { body: past } = await sandbox.control('GET', `/objects/items?at=${then}`)
  const answers = [
    await sandbox.control('GET', '/objects/things'),
    await sandbox.control('GET', '/objects/items?before=x'),
    await sandbox.control('GET', '/objects/items?limit=1001'),
  ]

  expect(past.objects.length).toBe(1)
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422])
})
