import { expect, test } from 'vitest'
import { notifiedTypes } from '../../../../spec/notifications.ts'
import { RECEIVER, testSandbox } from '../../../support/test-sandbox.ts'

/** What a payment of the kind notifies, and a way to ask the service. */
async function played(kind: string, readings: Record<string, string> = {}) {
  const sandbox = testSandbox({ readings })
  for (const object_type of notifiedTypes)
    await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type })
  const { body: payment } = await sandbox.control('POST', '/payments', { kind })
  await sandbox.idle()
  expect(sandbox.errors).toEqual([])
  const bodies = sandbox.transport.messages
    .slice(notifiedTypes.length)
    .map(({ body }) => JSON.parse(Buffer.from(body).toString()))
  const of = (type: string) => bodies.flatMap((body) => (type in body ? [body[type]] : []))
  const show = async (type: string, id: string) => (await sandbox.call('GET', `/${type}/${id}`)).body[type]
  return { sandbox, payment, of, show }
}

const DEPOSITS_AND_PAYMENTS = [
  'card-payin',
  'bpay-payin',
  'npp-payin',
  'direct-credit-payin',
  'wallet-to-item-transfer',
]

test.each(DEPOSITS_AND_PAYMENTS)('the transaction of %s names whom it names by id', async (kind) => {
  const { of, show } = await played(kind)

  const [transaction] = of('transactions')
  const [related] = transaction.related.transactions
  expect(related.user_name).toBe((await show('users', related.user_id)).full_name)
  expect(transaction.user_name).toBe((await show('users', transaction.user_id)).full_name)
})

test.each(['card-payin', 'direct-debit-payin', 'wallet-to-item-transfer'])(
  'the item of %s is notified of its creation first, where the reading says so',
  async (kind) => {
    const { of } = await played(kind, { 'accompanying-notifications': 'all' })

    const [first, second] = of('items')
    expect([first.state, first.status, first.id]).toEqual(['pending', 22000, second.id])
    expect(second.state).not.toBe('pending')
  },
)
