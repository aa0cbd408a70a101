import { expect, test } from 'vitest'
import { readings } from '../../../../spec/readings.ts'
import { notifiedTypes } from '../../../../spec/notifications.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

interface Field {
  readonly path: string
  readonly value: string
  readonly mark: { readonly source: string | null; readonly reading: string | null }
}

async function described(type: string, fields: object = {}) {
  const sandbox = testSandbox()
  const { body: made } = await sandbox.control('POST', `/objects/${type}`, fields)
  const { status, body } = await sandbox.control('GET', `/objects/${type}/${made.id}/description`)
  expect(status).toBe(200)
  return { sandbox, made, body }
}

test('an object whose moves the document shows can go where they lead, and nowhere else', async () => {
  const kind = { type: 'disbursement', type_method: 'direct_credit', state: 'bank_processing' }
  const { body } = await described('batch_transactions', kind)

  expect(body.state).toBe('bank_processing')
  expect(body.next).toEqual(['successful', 'invalid_account_details'])
  expect(body.transitions[0]).toEqual({ from: null, to: 'batched', trigger: 'payout processing' })
  expect(body.moves).toEqual({ source: '§3', reading: null })
})

test('an object whose moves the document does not show can go to every other state', async () => {
  const { body } = await described('items')

  expect(body.transitions).toBe(null)
  expect(body.next).toEqual(
    body.states.map(({ state }: { state: string }) => state).filter((state: string) => state !== 'pending'),
  )
  expect(body.states.slice(0, 2)).toEqual([
    { state: 'pending', code: 22000, mark: { source: '§2.5', reading: null } },
    { state: 'payment_required', code: 22100, mark: { source: null, reading: 'item-states' } },
  ])
})

test('what an object is said to be able to go to is what it can be moved to', async () => {
  const { sandbox, made, body } = await described('disbursements', { state: 'bank_processing' })
  const refused = await sandbox.control('POST', `/objects/disbursements/${made.id}/transitions`, {
    to: 'bank_processing',
  })
  const taken = await sandbox.control('POST', `/objects/disbursements/${made.id}/transitions`, {
    to: body.next[0],
  })

  expect([refused.status, taken.status]).toEqual([409, 200])
})

test.each(notifiedTypes)('every field of %s is stated or read, by a reading that there is', async (type) => {
  const { body, made } = await described(type)
  const fields: readonly Field[] = body.fields
  const known = new Set<string>(readings.map(({ id }) => id))

  const unknown = fields.filter(({ mark }) => mark.source === null && mark.reading === null)
  const misread = fields.filter(({ mark }) => mark.reading !== null && !known.has(mark.reading))

  expect([unknown, misread]).toEqual([[], []])
  expect(new Set(fields.map(({ path }) => path.split('.')[0]))).toEqual(new Set(Object.keys(made.object)))
})

test('a field is told with its value as JSON, and inner ones by their path', async () => {
  const { body } = await described('items', { name: 'a "table"' })
  const find = (path: string) => body.fields.find((field: Field) => field.path === path)

  expect(find('name')?.value).toBe(String.raw`"a \"table\""`)
  expect(find('state')?.mark).toEqual({ source: '§2.5', reading: 'item-states' })
  expect(find('links.self')).toBeDefined()
})
