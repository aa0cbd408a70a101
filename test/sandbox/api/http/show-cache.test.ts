import { expect, test } from 'vitest'
import { createShowCache } from '../../../../sandbox/api/http/show-cache.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

test('a show is kept as long as its object is of the same version', () => {
  const [first, second] = [1, 2]
  const shows = createShowCache(() => first)
  shows.keep('showItem', '1', { version: first, text: '{"items":1}' })

  expect([
    shows.find('showItem', '1', first),
    shows.find('showItem', '1', second),
    shows.find('showItem', '2', first),
    shows.find('showUser', '1', first),
  ]).toEqual(['{"items":1}', undefined, undefined, undefined])
})

test('no more shows are kept than there is room for, and the oldest goes first', () => {
  const version = 1
  const shows = createShowCache(() => version, 10)
  for (const id of ['1', '2', '2', '3']) shows.keep('showItem', id, { version, text: id.repeat(5) })
  shows.keep('showItem', '4', { version, text: '4'.repeat(11) })
  shows.keep('showItem', '5', { version, text: '5'.repeat(4) })

  expect(['1', '2', '3', '4', '5'].map((id) => shows.find('showItem', id, version))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    '5555',
  ])
})

test('a show that was asked for before is of the object as it is now', async () => {
  const sandbox = testSandbox()
  const { body: item } = await sandbox.control('POST', '/objects/items', { name: 'first' })
  const show = async () => (await sandbox.call('GET', `/items/${item.id}`)).body.items?.name
  const names = [await show(), await show()]

  await sandbox.control('PATCH', `/objects/items/${item.id}`, { name: 'second' })
  names.push(await show(), await show())
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')
  await sandbox.control('PATCH', `/objects/items/${item.id}`, { name: 'third' })
  names.push(await show(), await show())
  await sandbox.control('PUT', '/snapshot', snapshot)
  names.push(await show(), await show())
  await sandbox.control('POST', '/reset')
  names.push(await show())

  expect(names).toEqual([
    'first',
    'first',
    'second',
    'second',
    'third',
    'third',
    'second',
    'second',
    undefined,
  ])
})

test('a show that was asked for before is refused to a caller who may not see it', async () => {
  const sandbox = testSandbox()
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  const path = `/items/${item.id}`
  const { status } = await sandbox.call('GET', path)

  const refused = await sandbox.service(new Request(`http://service.test${path}`))
  const odd = await sandbox.call('GET', `${path}?a=1&a=2`)

  expect([status, refused.status, odd.status]).toEqual([200, 401, 422])
})

test('a show that was asked for before comes in the words of the platform again', async () => {
  const sandbox = testSandbox({ vocabulary: { extwallet: 'applepay' } })
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  const first = await sandbox.call('GET', `/items/${item.id}`)
  const second = await sandbox.call('GET', `/items/${item.id}`)

  expect(Object.keys(first.body.items)).toContain('applepay_fee')
  expect(second).toEqual(first)
})
