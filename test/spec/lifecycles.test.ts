import { expect, test } from 'vitest'
import { LIFECYCLES } from '../../spec/generated/lifecycles.ts'
import {
  isParticipantRole,
  PARTICIPANT_TYPES,
  paymentKinds,
  paymentOutcomes,
  paymentParticipants,
  paymentRows,
  paymentSteps,
  type PaymentKind,
  type PaymentNotification,
} from '../../spec/payments.ts'

const hasState = (object: keyof typeof LIFECYCLES.objects, state: unknown) =>
  Object.hasOwn(LIFECYCLES.objects[object].states, String(state))

function notificationsOf(kind: PaymentKind): readonly PaymentNotification[] {
  return paymentOutcomes(kind).flatMap((outcome) => [
    ...paymentSteps(kind, outcome).flat(),
    ...(paymentRows[kind].accompanying?.[outcome] ?? []),
  ])
}

function outcomeEffects(row: object): Readonly<Record<string, object>> {
  return 'by_outcome' in row ? { ...Object(row.by_outcome) } : {}
}

test.each(paymentKinds)('in %s, every account has an owner, and other participants have none', (kind) => {
  const roles = paymentParticipants(kind).map(([role]) => role)
  const wrong = paymentParticipants(kind).filter(([role, { owner }]) => {
    const isOwned = PARTICIPANT_TYPES[role].endsWith('accounts')
    return owner ? !isOwned || roles.indexOf(owner) >= roles.indexOf(role) || !roles.includes(owner) : isOwned
  })

  expect(wrong).toEqual([])
  expect(roles.includes('item')).toBe(roles.includes('buyer'))
})

test.each(paymentKinds)('the notifications of %s refer only to existing states and participants', (kind) => {
  const roles = new Set<string>(paymentParticipants(kind).map(([role]) => role))
  const wrong = notificationsOf(kind).filter(
    ({ object, state, participant, amount, sets = {}, wallets = {}, disbursement, item }) => {
      const referred = Object.values(sets).flatMap((value) => {
        const [role = '', field] = value.split('.')
        return field === undefined || role === 'self' ? [] : [role]
      })
      const named = [
        ...referred,
        ...Object.keys(wallets),
        ...(participant ? [participant] : []),
        ...(item || amount === 'net' ? ['item'] : []),
      ]
      return !(
        hasState(object, state) &&
        (disbursement === undefined || hasState('disbursements', disbursement)) &&
        (item?.['state'] === undefined || hasState('items', item['state'])) &&
        named.every((role) => isParticipantRole(role) && roles.has(role)) &&
        Object.keys(wallets).every(
          (role) => isParticipantRole(role) && PARTICIPANT_TYPES[role] === 'accounts',
        )
      )
    },
  )

  expect(wrong).toEqual([])
})

test.each(paymentKinds)('a successful payment %s sends the notification that causes its effect', (kind) => {
  const [usual = ''] = paymentOutcomes(kind)
  const { object, type, type_method, state } = paymentRows[kind].consequence

  expect(paymentSteps(kind, usual).flat()).toContainEqual(
    expect.objectContaining({ object, state, ...(type && { type }), ...(type_method && { type_method }) }),
  )
})

test.each(paymentKinds)('each effect in the definition of %s refers to a valid outcome', (kind) => {
  const payment: object = LIFECYCLES.payments[kind]
  const rows: readonly object[] = LIFECYCLES.payments[kind].notifications.flat()
  const accompanied = 'accompanying' in payment ? Object.keys(Object(payment.accompanying)) : []
  const named = [...rows.flatMap((row) => Object.keys(outcomeEffects(row))), ...accompanied]

  expect(paymentOutcomes(kind)).toEqual(expect.arrayContaining(named))
})
