import { expect, test } from 'vitest'
import { paymentKinds } from '../../../../spec/payments.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

interface ObjectRow {
  readonly role: string
  readonly object_type: string
  readonly id: string
}

type Sandbox = ReturnType<typeof testSandbox>

async function play(sandbox: Sandbox, kind: string) {
  const { body } = await sandbox.control('POST', '/payments', { kind })
  await sandbox.idle()
  const shown = async ({ object_type, id }: ObjectRow) =>
    (await sandbox.control('GET', `/objects/${object_type}/${id}`)).body.object
  const find = async (wanted: string) => {
    const row = body.objects.find(({ role }: ObjectRow) => role.startsWith(wanted))
    return row === undefined ? undefined : shown(row)
  }
  const objects = await Promise.all(body.objects.map(shown))
  return { objects, find }
}

/** What is no payment's own: an address, a number, a reference, a person. */
const OWN_FIELDS = new Set([
  'npp_payin_internal_id',
  'clearing_system_transaction_id',
  'end_to_end_id',
  'partner_payment_transaction_id',
  'deposit_reference',
  'legal_entity_id',
  'email',
  'user_email',
  'buyer_email',
  'seller_email',
  'addresses',
  'bank_account_number',
  'account_number',
])

/** Each of these fields with its value, wherever it is in the object. */
function ownFields(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const own = OWN_FIELDS.has(key) && inner !== null ? [`${path}.${key}=${inner}`] : []
    return [...own, ...ownFields(inner, `${path}.${key}`)]
  })
}

test.each(paymentKinds)('two payments of %s have no reference, number or person in common', async (kind) => {
  const sandbox = testSandbox()

  const [first, second] = [await play(sandbox, kind), await play(sandbox, kind)]

  const known = new Set(first.objects.flatMap((object) => ownFields(object)))
  expect(known.size).toBeGreaterThan(0)
  expect(second.objects.flatMap((object) => ownFields(object)).filter((field) => known.has(field))).toEqual(
    [],
  )
})

test.each(['card-payin', 'direct-debit-payin'])(
  'the batch of %s has the references of its item',
  async (kind) => {
    const { find } = await play(testSandbox(), kind)

    const [batch, item] = [await find('batch_transactions'), await find('item')]
    expect([batch.deposit_reference, batch.reference]).toEqual([item.deposit_reference, item.name])
  },
)

test('a payout by BPAY says of its payee what the service shows of them', async () => {
  const { find } = await play(testSandbox(), 'bpay-payout')

  const [batch, payee, wallet] = [
    await find('batch_transactions'),
    await find('seller'),
    await find('wallet_account'),
  ]
  expect(batch).toMatchObject({
    user_id: payee.id,
    user_email: payee.email,
    first_name: payee.first_name,
    last_name: payee.last_name,
    phone: payee.phone,
    legal_entity_id: String(wallet.legal_entity_id),
  })
})

test('a realtime payout goes to the bank account of its payee', async () => {
  const { find } = await play(testSandbox(), 'realtime-payout')

  const [disbursement, payee] = [await find('disbursements'), await find('seller')]
  expect(disbursement.bank_account_name).toBe(payee.full_name)
})

test('the accounts of a user are of one legal entity', async () => {
  const { find } = await play(testSandbox(), 'direct-credit-payout')

  const [wallet, bank] = [await find('wallet_account'), await find('bank_account')]
  expect(wallet.legal_entity_id).toBe(bank.legal_entity_id)
})
