import { expect, test } from 'vitest'
import { documentedSteps, summary } from '../../../support/payment-summaries.ts'
import { BANK, CARD, NEVE, type Platform, platform, sale } from '../../../support/platform.ts'
import { createMemoryDatabase } from '../../../support/stores.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

const FUNDS = 50_000
const PRICE = 12_500

/** Opens a platform whose buyer and seller have a bank account and money in their wallets. */
async function openShop(readings: Readonly<Record<string, string>> = {}) {
  const service = await platform({ settlement: 'by-simulation', ...readings })
  const { buyer, seller, item } = await sale(service)
  const { card_accounts: card } = await service.ok('POST', '/card_accounts', { user_id: buyer.id, ...CARD })
  const party = async (user: string) => {
    await service.control('POST', '/payments', { kind: 'direct-credit-payin', user, amount: FUNDS })
    const { bank_accounts: bank } = await service.ok('POST', '/bank_accounts', { user_id: user, ...BANK })
    const { wallet_accounts: wallet } = await service.ok('GET', `/users/${user}/wallet_accounts`)
    return { bank: String(bank.id), wallet: String(wallet.id) }
  }
  const [from, to] = [await party(`${buyer.id}`), await party(`${seller.id}`)]
  const payItem = (account_id: string) =>
    service.ok('PATCH', `/items/${item.id}/make_payment`, { account_id })
  const payOut = (operation: string, account_id: string) =>
    service.ok('POST', `/wallet_accounts/${to.wallet}/${operation}`, { account_id, amount: PRICE })
  const actions = {
    'card-payin': () => payItem(card.id),
    'direct-debit-payin': () => payItem(from.bank),
    'wallet-to-item-transfer': () => payItem(from.wallet),
    'direct-credit-payout': () => payOut('withdraw', to.bank),
    'realtime-payout': () => payOut('withdraw', to.bank),
    'bpay-payout': () => payOut('bill_payment', 'biller-7'),
  }
  const before = service.bodies().length
  return {
    service,
    pay: (kind: keyof typeof actions) => actions[kind](),
    arrived: () => arrivedLines(service, before),
    itemState: async () => (await service.ok('GET', `/items/${item.id}`)).items.state,
    money: async () => (await service.ok('GET', `/accounts/${to.wallet}`)).accounts.amount,
  }
}

const SECONDARY = new Set(['items', 'users', 'accounts'])

/** Returns a line for each notification, except notifications about items, users and accounts. */
function arrivedLines(service: Platform, from: number): readonly string[] {
  return service
    .bodies()
    .slice(from)
    .flatMap((body) => Object.entries<object>(body).slice(0, 1))
    .filter(([type]) => !SECONDARY.has(type))
    .map(([type, object]) => summary(type, object))
}

interface Exported {
  readonly id: string
  readonly batch_id: string
}

async function exported(service: Platform): Promise<readonly Exported[]> {
  return (await service.ok('GET', '/batch_transactions/export_transactions')).transactions
}

async function simulate(service: Platform, { id, batch_id }: Exported, ...states: readonly number[]) {
  let errors: readonly string[] = []
  for (const state of states) {
    const body = { exported_ids: [id], state }
    errors = (await service.ok('PATCH', `/batches/${batch_id}/transaction_states`, body)).errors
  }
  return errors
}

test.each([
  ['card-payin', 'successful', 'completed', FUNDS + PRICE],
  ['direct-debit-payin', 'successful', 'payment_deposited', FUNDS],
  ['direct-debit-payin', 'invalid_account_details', 'payment_required', FUNDS],
  ['direct-debit-payin', 'failed_direct_debit', 'payment_required', FUNDS],
  ['direct-credit-payout', 'successful', 'pending', FUNDS - PRICE],
  ['bpay-payout', 'invalid_account_details', 'pending', FUNDS],
  ['realtime-payout', 'successful', 'pending', FUNDS - PRICE],
  ['realtime-payout', 'cancelled', 'pending', FUNDS],
] as const)(
  'a %s waits after its first simulated step and ends as %s when the platform requests this outcome',
  async (kind, outcome, ...[item, wallet]) => {
    const way = kind === 'realtime-payout' ? 'realtime' : 'direct-credit'
    const { service, pay, arrived, itemState, money } = await openShop({ 'withdraw-kind': way })
    await service.control('PUT', '/next-outcomes', { kind, outcome })

    await pay(kind)
    const first = arrived()
    const waiting = await exported(service)
    const [one] = waiting
    if (!one) throw new Error('Nothing is exported')
    const errors = await simulate(service, one, 12_700, 12_000)

    const lines = documentedSteps(kind, outcome).flat()
    expect([first, waiting.length]).toEqual([lines.slice(0, 1), 1])
    expect(errors).toEqual(
      outcome === 'successful'
        ? []
        : [`${one.id}: gets the state ${outcome}, which was chosen for this payment`],
    )
    expect(arrived()).toEqual(lines)
    expect(await exported(service)).toEqual([])
    expect([await itemState(), await money()]).toEqual([item, wallet])
  },
)

test('the settlement of a card pay-in is exported in advance and settled once under its exported ID', async () => {
  const { service, pay, money } = await openShop()
  await pay('card-payin')
  const [funding] = await exported(service)
  if (!funding) throw new Error('Nothing is exported')
  const twice = { exported_ids: [funding.id, funding.id], state: 12_000 }

  const { errors } = await service.ok('PATCH', `/batches/${funding.batch_id}/transaction_states`, twice)

  const shown = await service.ok('GET', `/batch_transactions/${funding.id}`)
  expect(funding).toMatchObject({ type: 'payment_funding', type_method: 'credit_card' })
  expect(errors).toEqual([`${funding.id}: successful cannot change to successful`])
  expect(shown.batch_transactions).toMatchObject({ id: funding.id, state: 'successful' })
  expect(await money()).toBe(FUNDS + PRICE)
})

/** Requests a direct debit for an item. */
async function openDebit() {
  const { service, pay, itemState } = await openShop()
  await pay('direct-debit-payin')
  const [debit] = await exported(service)
  if (!debit) throw new Error('Nothing is exported')
  const move = (state: string) =>
    service.control('PATCH', `/objects/batch_transactions/${debit.id}`, { state })
  return { pay, itemState, move, simulate: (state: number) => simulate(service, debit, state) }
}

test('the simulation continues a debit and its item after the control API changed the state of the debit', async () => {
  const debit = await openDebit()

  await debit.move('bank_processing')
  await debit.simulate(12_000)

  expect(await debit.itemState()).toBe('payment_deposited')
})

test('an item can be paid again after a failed direct debit', async () => {
  const debit = await openDebit()

  await debit.simulate(12_700)
  await debit.move('failed_direct_debit')
  const required = await debit.itemState()
  await debit.pay('direct-debit-payin')

  expect([required, await debit.itemState()]).toEqual(['payment_required', 'payment_pending'])
})

test('an item payment from a wallet is settled immediately', async () => {
  const { pay, arrived, itemState } = await openShop()

  await pay('wallet-to-item-transfer')

  expect(await itemState()).toBe('payment_deposited')
  expect(arrived()).toEqual(['transactions payment wallet_account_transfer successful'])
})

test('an outcome that is selected for a payment kind survives a restart and applies to one payment', async () => {
  const database = createMemoryDatabase()
  const body = { kind: 'virtual-account-activation', outcome: 'activation_failed' }
  await testSandbox({ store: database.open() }).control('PUT', '/next-outcomes', body)

  const { call, control, store } = testSandbox({ store: database.open() })
  const { body: made } = await call('POST', '/users', NEVE)
  const path = `/wallet_accounts/${store.accountId(made.users.id, 'wallet')}/virtual_accounts`
  for (const account_name of ['First', 'Second']) await call('POST', path, { account_name })

  const { payments } = (await control('GET', '/payments')).body
  expect(payments.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['activation_failed', 'active'])
})
