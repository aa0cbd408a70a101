import type { Item } from '../../../spec/generated/service-types.ts'
import type { PaymentKind } from '../../../spec/payments.ts'
import { ApiError } from '../core/api-error.ts'
import type { EngineContext } from '../state/context.ts'
import type { AccountKind } from '../state/entries.ts'
import { createMaker } from './maker.ts'
import type { Cast } from '../state/payment.ts'
import type { ObjectWrite } from '../state/write.ts'

export interface CastRequest {
  readonly kind: PaymentKind
  /** Minor units, for an item that has to be made. */
  readonly amount: number
  readonly currency: string
  /** An item to pay, or the user to pay to or to pay out. */
  readonly item?: string | undefined
  readonly user?: string | undefined
  /** The account that pays, or is paid out to. */
  readonly account?: string | undefined
  /** The wallet that is paid out of. */
  readonly wallet?: string | undefined
}

export interface Casting {
  readonly cast: Cast
  /** What had to be made. */
  readonly writes: readonly ObjectWrite[]
}

const NEEDS_ITEM: ReadonlySet<PaymentKind> = new Set([
  'card-payin',
  'direct-debit-payin',
  'wallet-to-item-transfer',
])

/** Finds whom and what a payment is about, and makes what is not there. Throws ApiError for what was named and is not. */
export function castFor(request: CastRequest, context: EngineContext): Casting {
  const maker = createMaker(context)
  const { kind, amount } = request
  refuseUnknownUser(request, context)
  if (!NEEDS_ITEM.has(kind)) {
    const seller = maker.user(request.user)
    const isPayout = kind === 'direct-credit-payout' || kind === 'realtime-payout' || kind === 'bpay-payout'
    // What is paid out must have been there.
    const wallet_account = request.wallet ?? maker.account(seller, 'wallet', isPayout ? amount : 0)
    if (isPayout) refuseEmpty(wallet_account, amount, context)
    const bank_account = isPayout ? (request.account ?? maker.account(seller, 'bank')) : null
    const virtual_account =
      kind === 'virtual-account-activation' ? maker.virtualAccount(seller, wallet_account) : null
    const nobody = { item: null, buyer: null, card_account: null, buyer_wallet: null }
    return {
      cast: { ...nobody, seller, wallet_account, bank_account, virtual_account },
      writes: maker.writes,
    }
  }
  const item = request.item === undefined ? maker.item(request) : itemNamed(request.item, context)
  if (request.user !== undefined && request.user !== item.related.sellers) {
    const message = `Cannot pay user "${request.user}" by items "${item.id}": its seller is ${item.related.sellers}`
    throw new ApiError('invalid', { field: 'user', message })
  }
  const [buyer, seller] = [maker.user(item.related.buyers), maker.user(item.related.sellers)]
  const pays = (account: AccountKind) =>
    request.account ?? maker.account(buyer, account, account === 'wallet' ? amount : 0)
  const buyer_wallet = kind === 'wallet-to-item-transfer' ? pays('wallet') : null
  if (buyer_wallet !== null) refuseEmpty(buyer_wallet, amount, context)
  return {
    cast: {
      item: item.id,
      buyer,
      seller,
      wallet_account: maker.account(seller, 'wallet'),
      bank_account: kind === 'direct-debit-payin' ? pays('bank') : null,
      card_account: kind === 'card-payin' ? pays('card') : null,
      buyer_wallet,
      virtual_account: null,
    },
    writes: maker.writes,
  }
}

function refuseUnknownUser({ user }: CastRequest, { view }: EngineContext): void {
  if (user === undefined || view.object('users', user)) return
  throw new ApiError('not-found', { field: 'user', message: `Cannot find users "${user}"` })
}

/** A wallet that is there already pays no more than it holds. */
function refuseEmpty(id: string, amount: number, { view }: EngineContext): void {
  const wallet = view.object('accounts', id)?.body
  if (!wallet || wallet.amount >= amount) return
  const message = `Cannot pay ${amount} out of wallet "${id}": it holds ${wallet.amount}`
  throw new ApiError('invalid', { field: 'amount', message })
}

function itemNamed(id: string, { view }: EngineContext): Item {
  const item = view.object('items', id)
  if (!item) throw new ApiError('not-found', { field: 'item', message: `Cannot find items "${id}"` })
  return item.body
}
