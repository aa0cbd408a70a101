import { expect, test } from 'vitest'
import { isFair } from '../../../contracts/explore/fair-case.ts'
import { expectations } from '../../../contracts/explore/oracle.ts'
import { playCase } from '../../../contracts/explore/play-case.ts'
import type { ExploredCase, PaymentPlan } from '../../../contracts/explored-case.ts'
import { selectBranches } from '../../../contracts/toolkit/branches.ts'
import { paymentParticipants, paysItem } from '../../../spec/payments.ts'
import { careful } from '../support/careful.ts'
import { openContext } from '../support/check-context.ts'

const { branches } = selectBranches(await openContext({ receive: careful }), 'all')

const lastPart = ({ kind, outcome }: PaymentPlan) =>
  (branches.find((each) => each.kind === kind && each.outcome === outcome)?.parts.length ?? 0) - 1

/** Returns a case with one notification for each payment: the notification of its final state. */
const caseOf = (...payments: readonly PaymentPlan[]): ExploredCase => ({
  people: [{}, {}],
  payments,
  deliveries: payments.map((payment, of) => ({ of, part: lastPart(payment) })),
})

async function expected(plan: ExploredCase) {
  return expectations(await playCase(await openContext({ receive: careful }), plan, branches))
}
const REALTIME = { kind: 'realtime-payout', outcome: 'cancelled' } as const
const PAYIN = { kind: 'npp-payin', outcome: 'successful' } as const

async function idsOf(plan: ExploredCase): Promise<readonly (readonly [string, string])[]> {
  const acted = (await expected(plan)).filter(({ name }) => /^payment \d/.test(name))
  return acted.map(({ object }) => [object.type, object.id])
}

test('playCase() gives two objects of different types the same ID when possible', async () => {
  const [payin, realtime] = await idsOf(caseOf(PAYIN, { ...REALTIME, sameIdAs: 0 }))

  expect([payin?.[0], realtime?.[0], payin?.[1] === realtime?.[1]]).toEqual([
    'transactions',
    'disbursements',
    true,
  ])
})

test('playCase() gives the payer enough money for the default amount and the item fee', async () => {
  const paid = branches.filter(
    ({ kind }) => paysItem(kind) && paymentParticipants(kind).some(([, { pays }]) => pays === true),
  )

  expect(paid).not.toEqual([])
  for (const { kind, outcome } of paid) await expected(caseOf({ kind, outcome, person: 0, fee: 12_345 }))
})

test('isFair() accepts two wallet payments of one item only with the same payer', () => {
  const paid = { kind: 'wallet-to-item-transfer', outcome: 'successful' } as const
  const fairWith = (...people: readonly Pick<PaymentPlan, 'person'>[]) => {
    const plan = caseOf({ ...paid, ...people[0] }, { ...paid, ...people[1], item: 0 })
    const parts = (last: number) => Array.from({ length: last + 1 }, (_, part) => part)
    const deliveries = plan.deliveries.flatMap(({ of, part }) =>
      parts(part).map((each) => ({ of, part: each })),
    )
    return isFair({ ...plan, deliveries }, branches)
  }

  expect(fairWith({ person: 0 }, { person: 0 })).toBe(true)
  expect(fairWith({ person: 0 }, {}) || fairWith({ person: 0 }, { person: 1 }) || fairWith()).toBe(false)
})

test('expectations() does not treat another account of the same person as foreign', async () => {
  const found = await expected(
    caseOf(
      { ...PAYIN, person: 0 },
      { ...REALTIME, outcome: 'successful', person: 0 },
      { ...PAYIN, person: 1 },
    ),
  )

  const [own, payout, foreign] = found
  expect([payout?.users, payout?.accounts]).toEqual([undefined, undefined])
  expect(payout?.foreignAccounts).toEqual(foreign?.accounts)
  expect(own?.accounts).toHaveLength(1)
})
