import type { PaymentKind } from '../../spec/payments.ts'
import type { Received, Walk } from '../support/walk.ts'

interface Doors {
  service(method: string, path: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>>
  bench(method: string, path: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>>
}

export function openDoors(walk: Pick<Walk, 'service' | 'bench'>): Doors {
  const through = (door: Walk['service']) => async (method: string, path: string, body?: unknown) => {
    const answer = await door(method, path, body)
    if (answer.status < 300) return answer.body
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  return { service: through(walk.service), bench: through(walk.bench) }
}

export interface Shop {
  readonly buyer: string
  readonly seller: string
  readonly buyerWallet: string
  readonly sellerWallet: string
  readonly buyerBank: string
  readonly sellerBank: string
  readonly card: string
}

export const FUNDS = 50_000

export const PRICE = 9_900

export async function openShop({ service, bench }: Doors): Promise<Shop> {
  const user = async (first_name: string): Promise<string> =>
    (
      await service('POST', '/users', {
        first_name,
        last_name: 'Byrne',
        email: 'n@example.test',
        country: 'AUS',
      })
    ).users.id
  const [buyer, seller] = [await user('Neve'), await user('Sam')]
  const bank = async (user_id: string): Promise<string> =>
    (await service('POST', '/bank_accounts', { user_id, ...BANK })).bank_accounts.id
  const wallet = async (user_id: string): Promise<string> =>
    (await service('GET', `/users/${user_id}/wallet_accounts`)).wallet_accounts.id
  const { card_accounts: card } = await service('POST', '/card_accounts', { user_id: buyer, ...CARD })
  for (const id of [buyer, seller])
    await bench('POST', '/payments', { kind: 'direct-credit-payin', user: id, amount: FUNDS })
  return {
    buyer,
    seller,
    buyerWallet: await wallet(buyer),
    sellerWallet: await wallet(seller),
    buyerBank: await bank(buyer),
    sellerBank: await bank(seller),
    card: card.id,
  }
}

/** Makes a payment by the service API. Returns the id of the paid item, if there is one. */
export async function makePlatformPayment(
  kind: PlatformKind,
  shop: Shop,
  { service, bench }: Doors,
): Promise<string | undefined> {
  const pay = async (account_id: string): Promise<string> => {
    const { buyer: buyer_id, seller: seller_id } = shop
    const { items } = await service('POST', '/items', { name: 'Table', amount: PRICE, buyer_id, seller_id })
    await service('PATCH', `/items/${items.id}/make_payment`, { account_id })
    return items.id
  }
  const wallet = `/wallet_accounts/${shop.sellerWallet}`
  switch (kind) {
    case 'card-payin':
      return pay(shop.card)
    case 'direct-debit-payin':
      return pay(shop.buyerBank)
    case 'wallet-to-item-transfer':
      return pay(shop.buyerWallet)
    case 'direct-credit-payout':
    case 'realtime-payout': {
      const way = kind === 'realtime-payout' ? 'realtime' : 'direct-credit'
      await bench('PATCH', '/readings', { 'withdraw-kind': way })
      await service('POST', `${wallet}/withdraw`, { account_id: shop.sellerBank, amount: PRICE })
      return undefined
    }
    case 'bpay-payout':
      await service('POST', `${wallet}/bill_payment`, { account_id: 'biller-7', amount: PRICE })
      return undefined
    case 'virtual-account-activation':
      await service('POST', `${wallet}/virtual_accounts`, { account_name: 'Sam Byrne' })
      return undefined
    default:
      return kind satisfies never
  }
}

/** The kinds of payments that a platform makes. Other kinds come from outside. */
export type PlatformKind = Exclude<PaymentKind, 'bpay-payin' | 'npp-payin' | 'direct-credit-payin'>

const BANK = {
  bank_name: 'Bank of Examples',
  account_name: 'Byrne',
  routing_number: '111123',
  account_number: '111234567',
  account_type: 'checking',
  holder_type: 'personal',
  country: 'AUS',
}

const CARD = { full_name: 'Neve Byrne', number: '4111111111111111', expiry_month: '12', expiry_year: '2030' }

const payout = (outcome: string) => ({ wallet: outcome === 'successful' ? FUNDS - PRICE : FUNDS })

export const PLATFORM_OUTCOMES = [
  [
    'card-payin',
    'successful',
    [
      'transactions payment credit_card successful',
      'batch_transactions payment_funding credit_card successful',
    ],
    { item: 'completed', wallet: FUNDS + PRICE },
  ],
  ...[
    ['successful', 'payment_deposited'],
    ['invalid_account_details', 'payment_required'],
    ['failed_direct_debit', 'payment_required'],
  ].map(
    ([outcome = '', item = '']) =>
      [
        'direct-debit-payin',
        outcome,
        ['batched', 'bank_processing', outcome].map(
          (state) => `batch_transactions payment direct_debit ${state}`,
        ),
        { item, wallet: FUNDS },
      ] as const,
  ),
  ...['successful', 'invalid_account_details'].flatMap((outcome) => [
    [
      'direct-credit-payout',
      outcome,
      ['batched', 'bank_processing', outcome].map(
        (state) => `batch_transactions disbursement direct_credit ${state}`,
      ),
      payout(outcome),
    ] as const,
    [
      'bpay-payout',
      outcome,
      ['bank_processing', outcome].map((state) => `batch_transactions disbursement bpay ${state}`),
      payout(outcome),
    ] as const,
  ]),
  ...['successful', 'cancelled'].map(
    (outcome) =>
      [
        'realtime-payout',
        outcome,
        ['disbursements bank_processing', `disbursements ${outcome}`],
        payout(outcome),
      ] as const,
  ),
] as const

function line({ object_type, body }: Received): string {
  const { type, type_method, state, event } = body[object_type] ?? body
  return [object_type, type, type_method, state ?? event].filter(Boolean).join(' ')
}

const SECONDARY = new Set(['items', 'users', 'accounts'])

/** Returns a line for each notification, except those about items, users and accounts. */
export function arrivedLines(received: readonly Received[]): readonly string[] {
  return received.filter(({ object_type }) => !SECONDARY.has(object_type)).map(line)
}
