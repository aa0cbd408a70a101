import { expect, test } from 'vitest'
import { examples } from '../../spec/examples.ts'
import type { BatchTransaction, Notification, Transaction } from '../../spec/types.ts'
import { parseNotification } from '../../spec/validate.ts'

// What is tested here is tested by the compiler: each line marked as an error must be one.

const golden = examples.find(({ type }) => type === 'items')?.body

function aboutWrapper(body: Notification): unknown {
  if ('items' in body) return [body.items.state, body.items.related.buyers] satisfies [string, string]
  if ('users' in body) return body.users.verification_state
  if ('accounts' in body) return body.accounts.account_type_id satisfies number
  if ('disbursements' in body)
    return body.disbursements.npp_payout_state satisfies 'trying' | 'successful' | 'failed'
  if ('companies' in body) return body.companies.legal_name
  if ('transactions' in body) return aboutTransaction(body.transactions)
  if ('batch_transactions' in body) return aboutBatchTransaction(body.batch_transactions)
  if ('bank_accounts' in body) return body.bank_accounts.active satisfies boolean
  // @ts-expect-error -- the only one left is flat
  void body.virtual_accounts
  return body.link satisfies string
}

function aboutTransaction(transaction: Transaction): unknown {
  // @ts-expect-error -- not every kind has a user's name
  void transaction.user_name
  if (transaction.type === 'disbursement') return transaction.dynamic_descriptor satisfies string | null
  // @ts-expect-error -- deposits and payments have none
  void transaction.dynamic_descriptor
  if (transaction.type_method === 'npp_payin') {
    if (transaction.payin_details === null) return transaction.links.supplementary_data satisfies string
    return transaction.payin_details.pay_id_type satisfies '/EMAL' | '/TELI' | '/AUBN' | '/ORGN' | null
  }
  // @ts-expect-error -- only NPP pay-ins have details
  void transaction.payin_details
  if (transaction.type_method === 'credit_card') return transaction.account_type satisfies 'item'
  return transaction.user_name satisfies string
}

function aboutBatchTransaction(batch: BatchTransaction): unknown {
  if (batch.type === 'disbursement' && batch.type_method === 'bpay') {
    return [batch.id, batch.uuid] satisfies [number, string]
  }
  // @ts-expect-error -- only the extended form has a uuid
  void batch.uuid
  if (batch.type === 'payment') return batch.state satisfies string
  // @ts-expect-error -- only a direct debit can fail so
  void (batch.state === 'failed_direct_debit')
  return batch.id satisfies string
}

test('narrowing by what tells notifications apart gives the right fields', () => {
  for (const { body } of examples) expect(aboutWrapper(body)).toBeDefined()
})

test('a parsed notification narrows by its type', () => {
  const parsed = parseNotification(golden)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))

  if (parsed.type === 'items') {
    expect(parsed.notification.items.amount).toBeTypeOf('number')
    return
  }
  // @ts-expect-error -- items were handled above
  void parsed.notification.items
  if (parsed.type === 'virtual_accounts') expect(parsed.notification.link).toBeTypeOf('string')
})

test('a tolerant reader must expect states that it does not know', () => {
  const parsed = parseNotification(golden, { tolerant: true })

  if (parsed.ok && parsed.type === 'items') {
    const { state } = parsed.notification.items
    // @ts-expect-error -- it may be any text
    void (state satisfies 'pending' | 'completed')
    expect(state).toBeTypeOf('string')
  }
})
