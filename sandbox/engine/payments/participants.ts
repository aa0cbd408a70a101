import type { Item } from '../../../spec/generated/service-types.ts'
import {
  paymentParticipants,
  paysItem,
  type Participant,
  type ParticipantRole,
  type PaymentKind,
} from '../../../spec/payments.ts'
import { ApiError, refuseField } from '../core/api-error.ts'
import type { EngineContext } from '../objects/draws.ts'
import type { AccountKind, Participants, ObjectWrite } from '../state/entries.ts'
import { createObjectFactory, type ObjectFactory } from './object-factory.ts'

export interface ParticipantRequest {
  readonly kind: PaymentKind
  /** The price of a new item in minor units. */
  readonly amount: number
  readonly currency: string
  readonly item?: string | undefined
  readonly user?: string | undefined
  readonly account?: string | undefined
  readonly wallet?: string | undefined
}

/** Finds or creates the participants of a payment. Throws ApiError for an unknown participant. */
export function findParticipants(
  request: ParticipantRequest,
  context: EngineContext,
): { readonly participants: Participants; readonly writes: readonly ObjectWrite[] } {
  const { kind, amount } = request
  const factory = createObjectFactory(context)
  refuseUnknownUser(request, context)
  const item = paysItem(kind) ? (findItem(request, context) ?? factory.item(request)) : undefined
  const found: { [Role in ParticipantRole]?: string } = {}
  for (const [role, participant] of paymentParticipants(kind)) {
    const id = FINDERS[role]({ request, factory, item, found }, participant)
    if (id === undefined)
      throw new Error(
        `Cannot play ${kind}: the ${role} depends on another participant, and that participant is missing`,
      )
    if (participant.pays === true) refuseEmpty(id, amount, context)
    found[role] = id
  }
  const { seller, wallet_account } = found
  if (seller === undefined || wallet_account === undefined)
    throw new Error(`Cannot play ${kind}: the item has no seller, or the seller has no wallet`)
  return { participants: { ...found, seller, wallet_account }, writes: factory.writes }
}

interface Search {
  readonly request: ParticipantRequest
  readonly factory: ObjectFactory
  readonly item: Item | undefined
  readonly found: { readonly [Role in ParticipantRole]?: string }
}

type Finder = (search: Search, participant: Participant) => string | undefined

const FINDERS: { readonly [Role in ParticipantRole]: Finder } = {
  item: ({ item }) => item?.id,
  buyer: ({ item, factory }) => factory.user(item?.related.buyers),
  seller: ({ item, request, factory }) => factory.user(item?.related.sellers ?? request.user),
  wallet_account: accountFinder('wallet'),
  bank_account: accountFinder('bank'),
  card_account: accountFinder('card'),
  buyer_wallet: accountFinder('wallet'),
  virtual_account: ({ factory, found: { seller, wallet_account } }) =>
    seller && wallet_account && factory.virtualAccount(seller, wallet_account),
}

function accountFinder(kind: AccountKind): Finder {
  return ({ request, factory, found }, { owner, given_by, pays = false }) => {
    const given = given_by && request[given_by]
    const user = owner && found[owner]
    return given ?? (user && factory.account(user, kind, pays ? request.amount : 0))
  }
}

function refuseUnknownUser({ user }: ParticipantRequest, { view }: EngineContext): void {
  if (user === undefined || view.object('users', user)) return
  throw new ApiError('not-found', { field: 'user', message: `Cannot find users "${user}"` })
}

function findItem({ item: id, user }: ParticipantRequest, { view }: EngineContext): Item | undefined {
  if (id === undefined) return undefined
  const item = view.object('items', id)?.body
  if (!item) throw new ApiError('not-found', { field: 'item', message: `Cannot find items "${id}"` })
  if (user === undefined || user === item.related.sellers) return item
  return refuseField(
    'user',
    `Cannot pay user "${user}" with item "${item.id}": the seller of the item is ${item.related.sellers}`,
  )
}

function refuseEmpty(id: string, amount: number, { view }: EngineContext): void {
  const wallet = view.object('accounts', id)?.body
  if (!wallet || wallet.amount >= amount) return
  refuseField('amount', `Cannot pay ${amount} out of wallet "${id}": the wallet holds ${wallet.amount}`)
}
