import type { NotifiedType } from '../../../spec/notifications.ts'
import {
  type PaymentKind,
  paymentKinds,
  type PaymentNotification,
  paymentOutcomes,
  paymentParticipants,
  paymentRows,
  paymentSteps,
  paysItem,
} from '../../../spec/payments.ts'
import type { EngineContext, ObjectFields } from '../objects/draws.ts'
import { newAccount } from '../objects/accounts.ts'
import { withPendingWrites } from '../objects/pending-writes.ts'
import type { ObjectWrite } from '../state/entries.ts'
import { notificationFields } from './notification-fields.ts'
import { createObjectFactory, virtualAccountFields } from './object-factory.ts'
import { findParticipants } from './participants.ts'

interface Parties {
  readonly fields: ObjectFields
  readonly writes: readonly ObjectWrite[]
}

const NOBODY: Parties = { fields: {}, writes: [] }

/** Creates the users and accounts to which an object refers, so that a receiver can fetch them. `example` has no references. */
export function findParties(
  type: NotifiedType,
  { example, given }: { readonly example: object; readonly given: ObjectFields },
  context: EngineContext,
): Parties {
  const isGiven = (...names: readonly string[]) => names.some((name) => Object.hasOwn(given, name))
  if (type === 'companies' && !isGiven('related')) {
    const factory = createObjectFactory(context)
    const related = { address: context.newId(), users: factory.user() }
    return { fields: { related }, writes: factory.writes }
  }
  const terms: ObjectFields = { ...example }
  const { id } = terms
  // Each new user gets a wallet. Reading: platform-operations
  if (type === 'users' && typeof id === 'string')
    return { fields: {}, writes: [newAccount({ user_id: id, account_kind: 'wallet' }, context).write] }
  if (type === 'virtual_accounts' && !isGiven('user_external_id', 'wallet_account_id')) {
    const factory = createObjectFactory(context)
    const owner = factory.user()
    const wallet = factory.account(owner, 'wallet')
    const { view } = withPendingWrites(context, factory.writes)
    const user = view.object('users', owner)?.body
    const fields = user ? virtualAccountFields(user, wallet) : {}
    return { fields, writes: factory.writes }
  }
  const cause = findCause(type, terms)
  const { user_id: user } = given
  if (!cause || isGiven('account_id', 'related')) return NOBODY
  if (user === undefined) return paymentParties(cause, terms, context)
  if (typeof user !== 'string' || !context.view.object('users', user) || !isDeposit(cause.kind)) return NOBODY
  return paymentParties(cause, { ...terms, user }, context)
}

function isDeposit(kind: PaymentKind): boolean {
  return !paysItem(kind) && paymentParticipants(kind).every(([, { pays }]) => pays !== true)
}

interface Cause {
  readonly kind: PaymentKind
  readonly notification: PaymentNotification
}

function findCause(type: NotifiedType, terms: ObjectFields): Cause | undefined {
  for (const kind of paymentKinds) {
    const [usual = ''] = paymentOutcomes(kind)
    const notification = [
      ...paymentSteps(kind, usual).flat(),
      ...(paymentRows[kind].accompanying?.[usual] ?? []),
    ].find(
      (each) =>
        each.object === type &&
        each.participant === undefined &&
        each.type === terms['type'] &&
        each.type_method === terms['type_method'],
    )
    if (notification) return { kind, notification }
  }
  return undefined
}

function paymentParties(
  { kind, notification }: Cause,
  { id, amount, currency, user }: ObjectFields,
  context: EngineContext,
): Parties {
  if (typeof amount !== 'number' || typeof currency !== 'string') return NOBODY
  const { participants, writes } = findParticipants(
    { kind, amount, currency, user: typeof user === 'string' ? user : undefined },
    context,
  )
  const payment = { kind, amount, currency, participants, objectId: String(id) }
  const { view } = withPendingWrites(context, writes)
  const { state: _, ...fields } = notificationFields(notification, payment, view)
  return { fields, writes }
}
