import { expect, test } from 'vitest'
import { atRest, aWhile, bodiesSent, idsSent, makeItems } from '../../../support/test-sandbox.ts'
import { faultCounts, withDeliveryFault } from '../../../support/faults.ts'

const withReorder = (settings: object = {}) => withDeliveryFault({ kind: 'reorder', ...settings })

test('the fault "reorder" swaps two notifications of different objects', async () => {
  const sandbox = await withReorder({ times: 1 })
  const [first, second, third] = await makeItems(sandbox, 3)
  await sandbox.idle()

  expect([idsSent(sandbox), await faultCounts(sandbox)]).toEqual([[second, first, third], [[1, 1]]])
})

test('the fault "reorder" swaps two notifications of one object', async () => {
  const sandbox = await withReorder({ times: 1 })
  const [id = ''] = await makeItems(sandbox, 1)
  await sandbox.control('PATCH', `/objects/items/${id}`, { state: 'completed' })
  await sandbox.idle()

  expect(bodiesSent(sandbox).map((body) => JSON.parse(body).items.state)).toEqual(['completed', 'pending'])
})

test('the fault "reorder" without a limit swaps each pair of deliveries', async () => {
  const sandbox = await withReorder()
  const [a, b, c, d] = await makeItems(sandbox, 4)
  await sandbox.idle()

  expect([idsSent(sandbox), await faultCounts(sandbox)]).toEqual([[b, a, d, c], [[2, 2]]])
})

test('the fault "reorder" holds a delivery until a later one arrives, or until its delay ends in real time', async () => {
  const sandbox = await withReorder({ delay_ms: 300 })
  const [id] = await makeItems(sandbox, 1)
  await aWhile(sandbox)
  sandbox.realTime.move(299)
  await aWhile(sandbox)
  const before = idsSent(sandbox)
  sandbox.realTime.move(1)
  await atRest(sandbox)

  expect([before, idsSent(sandbox)]).toEqual([[], [id]])
})

test.each(['/faults', undefined])('a delivery held by "reorder" is sent after DELETE %s', async (path) => {
  const sandbox = await withReorder()
  const [id] = await makeItems(sandbox, 1)
  const before = idsSent(sandbox)
  await sandbox.control('DELETE', path ?? `/faults/${sandbox.fault}`)
  await atRest(sandbox)

  expect([before, idsSent(sandbox)]).toEqual([[], [id]])
})

test('a delivery held back by the fault "reorder" does not block the clock or the idle state', async () => {
  const sandbox = await withReorder()
  await makeItems(sandbox, 1)

  const { body } = await sandbox.control('POST', '/clock/advance', { by: '30d' })
  await sandbox.idle()

  expect([body.attempts, idsSent(sandbox)]).toEqual([0, []])
})

test('a delivery held back by the fault "reorder" is dropped when its registration is disabled', async () => {
  const sandbox = await withReorder()
  await makeItems(sandbox, 1)
  await sandbox.call('PATCH', `/webhooks/${sandbox.store.jobs()[0]?.registration_id}`, { enabled: false })
  await sandbox.control('DELETE', '/faults')
  await atRest(sandbox)

  expect([idsSent(sandbox), sandbox.attempts, sandbox.errors]).toEqual([[], [], []])
})

test('a closing sandbox leaves a delivery held back by the fault "reorder" for the next start', async () => {
  const sandbox = await withReorder()
  await makeItems(sandbox, 1)

  await sandbox.close()

  expect([idsSent(sandbox), sandbox.attempts, sandbox.store.jobs()[0]?.status]).toEqual([[], [], 'pending'])
})

test('a restored snapshot still holds back a delivery that the fault "reorder" held back', async () => {
  const sandbox = await withReorder()
  const [first] = await makeItems(sandbox, 1)
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')

  await sandbox.control('PUT', '/snapshot', snapshot)
  await atRest(sandbox)
  const before = idsSent(sandbox)
  const [second] = await makeItems(sandbox, 1)
  await atRest(sandbox)

  expect([before, idsSent(sandbox)]).toEqual([[], [second, first]])
})
