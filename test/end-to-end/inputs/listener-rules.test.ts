import { expect, test } from 'vitest'
import { OPERATIONS as CONTROL } from '../../../spec/generated/control-operations.ts'
import { OPERATIONS as SERVICE } from '../../../spec/generated/service-operations.ts'
import type { OperationRow } from '../../../spec/rows.ts'
import { JSON_TYPE, useListeners, type Side } from '../../support/listeners.ts'

const { send, expectRefusal, stored } = useListeners()

const ROWS: Readonly<Record<Side, readonly OperationRow[]>> = {
  service: Object.values(SERVICE),
  bench: Object.values(CONTROL),
}
const SIDES = ['service', 'bench'] as const

const OF_THE_OTHER: Readonly<Record<Side, string>> = {
  service: 'Authorization: Bearer a-token-of-the-test',
  bench: `Authorization: Basic ${Buffer.from('sandbox@example.test:sandbox-token').toString('base64')}`,
}

const pathOf = ({ path }: OperationRow) => path.replaceAll(/\{\w+\}/g, 'x')

test('only the health operation and the token operation work without authentication', () => {
  const open = SIDES.flatMap((side) => ROWS[side].filter(({ auth }) => auth.length === 0))

  expect(open.map(({ id }) => id).toSorted()).toEqual(['createToken', 'getHealth'])
})

test.each(SIDES)(
  'every other operation of the %s rejects a call without a token, with a cookie, or with the token of another listener',
  async (side) => {
    for (const row of ROWS[side].filter(({ auth }) => auth.length > 0)) {
      const call = { method: row.method, path: pathOf(row), body: row.body ? '{}' : '', authorized: false }
      const expected = row.errors === 'webhooks' ? 403 : 401
      const cookie = 'Cookie: token=a-token-of-the-test; access_token=a-token-of-the-test; session=1'
      const inQuery = `${pathOf(row)}?token=a-token-of-the-test&access_token=a-token-of-the-test`
      await expectRefusal(side, { ...call, headers: [JSON_TYPE, cookie] }, expected)
      await expectRefusal(side, { ...call, headers: [JSON_TYPE], path: inQuery }, expected)
      await expectRefusal(side, { ...call, headers: [JSON_TYPE, OF_THE_OTHER[side]] }, expected)
    }
  },
)

test('every change through the control API requires JSON', async () => {
  for (const row of ROWS.bench.filter(({ body }) => body)) {
    const [method, path] = [row.method, pathOf(row)]
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      await expectRefusal('bench', { method, path, headers: [`Content-Type: ${type}`], body: '{}' }, 415)
    await expectRefusal('bench', { method, path, headers: [], body: '{}' }, 415)
  }
})

test.each(SIDES)('the %s changes nothing on GET, sets no cookie and allows no other origin', async (side) => {
  const before = stored()
  for (const row of ROWS[side].filter(({ method, id }) => method === 'GET' && id !== 'streamEvents')) {
    const { status, headers } = await send(side, { method: 'GET', path: pathOf(row) })

    expect([row.id, status !== null && status < 500]).toEqual([row.id, true])
    expect(headers.toLowerCase()).not.toMatch(/set-cookie|access-control/)
  }
  expect(stored() === before).toBe(true)
})

test('each listener rejects the operations of the other listener', async () => {
  const isParameter = /\{/
  for (const row of ROWS.service.filter(({ path }) => !isParameter.test(path)))
    await expectRefusal('bench', { method: row.method, path: row.path, body: row.body ? '{}' : '' }, 404)
  for (const row of ROWS.bench.filter(({ path }) => !isParameter.test(path)))
    await expectRefusal('service', { method: row.method, path: row.path, body: row.body ? '{}' : '' }, 404)
})
