import {
  policy as carefulPolicy,
  type ObjectEntries,
} from '../../../contracts/reference-receiver/starter/receiver.mjs'
import type { KnownObject } from '../../../contracts/reference-receiver/starter/store.mjs'
import {
  actingAs,
  alsoActing,
  changingKnown,
  objectInEntry,
  withNotifiedState,
  withPolicy,
  type Defect,
} from './defect.ts'

const HOUR_MS = 3_600_000

export const orderDefects: readonly Defect[] = [
  {
    name: 'does-not-know-wallet-transfers',
    about: 'It does nothing when an item is paid from a wallet.',
    check: 'order/documented-order',
    alsoFails: {
      order:
        'final-then-earlier late-retry-of-early-state only-the-final-state twin-notifications interleaved-payments any-sequence',
      idempotency: 'next-state-soon-after',
      trust: 'lying-body',
    },
    parts: () =>
      withPolicy({
        isDue: (now, entries) =>
          carefulPolicy.isDue(now, entries) && now.kind !== 'payment/wallet_account_transfer',
      }),
  },
  {
    name: 'believes-the-last-word',
    about: 'It believes the state in the latest notification.',
    check: 'order/final-then-earlier',
    alsoFails: { order: 'late-retry-of-early-state any-sequence', trust: 'lying-body' },
    parts: () =>
      withPolicy({
        canReplace: () => true,
        parseKnownObject: changingKnown(withNotifiedState),
      }),
  },
  {
    name: 'believes-late-words',
    about: 'It treats a notification that comes hours later as a correction.',
    check: 'order/late-retry-of-early-state',
    parts: () =>
      withPolicy({
        canReplace: () => true,
        parseKnownObject: changingKnown((known, entries) => {
          const isLate = (known.updatedAt ?? 0) - (notifiedAt(entries) ?? Infinity) > HOUR_MS
          return isLate ? withNotifiedState(known, entries) : known
        }),
      }),
  },
  {
    name: 'waits-for-the-beginning',
    about: 'It acts only on payments whose first state was notified.',
    check: 'order/only-the-final-state',
    alsoFails: {
      trust:
        'lying-body failing-show failing-for-a-while expired-token-and-rate-limit other-url-token injection-text prototype-keys',
      recovery: 'old-timestamps',
    },
    parts() {
      const begun = new Set<string>()
      return withPolicy({
        isDue(now, entries) {
          const isDue = carefulPolicy.isDue(now, entries)
          if (now.type !== 'batch_transactions') return isDue
          const key = carefulPolicy.effectKey(now, entries)
          if (entries.some((entry) => objectInEntry(entry)['state'] !== 'successful')) begun.add(key)
          return isDue && begun.has(key)
        },
      })
    },
  },
  {
    name: 'takes-every-end-for-success',
    about: 'It acts on any final state of a payment, including failures.',
    check: 'order/failure-branches',
    alsoFails: {
      idempotency: 'next-state-soon-after',
      order:
        'any-sequence documented-order final-then-earlier interleaved-payments late-retry-of-early-state only-the-final-state',
      trust: 'virtual-account-status',
    },
    parts: () => actingAs((now) => over(now, FAILURES)),
  },
  {
    name: 'acts-before-success',
    about: 'It acts when the bank starts to process a payment.',
    check: 'order/no-release-before-success',
    alsoFails: {
      idempotency: 'next-state-soon-after',
      order: 'documented-order late-retry-of-early-state failure-branches interleaved-payments any-sequence',
      trust: 'lying-body',
    },
    parts: () => actingAs((now) => over(now, BEGINNINGS)),
  },
  {
    name: 'acts-on-both-twins',
    about: 'It also acts on the settlement of a card payment and on the batch of a BPAY payment.',
    check: 'order/twin-notifications',
    alsoFails: {
      idempotency: 'same-delivery-again same-payer-same-amount next-state-soon-after',
      order:
        'documented-order final-then-earlier late-retry-of-early-state only-the-final-state interleaved-payments any-sequence',
      recovery: 'missed-notifications',
    },
    parts: () => alsoActing(({ state, kind }) => state === 'successful' && TWINS.has(kind ?? '')),
  },
  {
    name: 'ships-the-item-too',
    about: 'It acts on the item that a payment has completed, and on its transaction.',
    check: 'order/twin-notifications',
    alsoFails: {
      idempotency: 'same-delivery-again next-state-soon-after',
      order:
        'documented-order final-then-earlier late-retry-of-early-state only-the-final-state interleaved-payments any-sequence',
    },
    parts: () => alsoActing(({ type, state }) => type === 'items' && state === 'completed'),
  },
  {
    name: 'loses-count',
    about: 'It acts again when the first state of a payment is repeated after the end.',
    check: 'order/any-sequence',
    alsoFails: {
      idempotency: 'same-delivery-again',
      order: 'final-then-earlier late-retry-of-early-state',
      recovery: 'missed-notifications',
    },
    parts() {
      const ended = new Set<string>()
      return withPolicy({
        effectKey(now, entries) {
          const key = carefulPolicy.effectKey(now, entries)
          let isAgain = false
          for (const entry of entries) {
            const isBeginning = BEGINNINGS.has(objectInEntry(entry)['state'])
            isAgain ||= isBeginning && ended.has(key)
            if (!isBeginning) ended.add(key)
          }
          return isAgain ? `${key} again` : key
        },
      })
    },
  },
  {
    name: 'mixes-payments-up',
    about: 'It books the amount of the first payment of a kind for all later ones.',
    check: 'order/interleaved-payments',
    alsoFails: { body: 'amounts' },
    mayFail: ['trust/lying-body'],
    parts() {
      const amounts = new Map<string, number | null>()
      return withPolicy({
        parseKnownObject: changingKnown((known) => {
          if (known.kind === null) return known
          const amount = amounts.get(known.kind) ?? known.amount
          amounts.set(known.kind, amount)
          return { ...known, amount }
        }),
      })
    },
  },
  {
    name: 'ships-what-is-refunded',
    about: 'It acts on a refunded item as on a paid item.',
    check: 'order/change-after-final',
    parts: () => alsoActing(({ type, state }) => type === 'items' && state === 'refunded'),
  },
  {
    name: 'hears-nothing-after-the-end',
    about: 'It ignores later changes of a completed item.',
    check: 'order/change-after-final',
    parts: () =>
      withPolicy({
        canReplace: (before, now) =>
          carefulPolicy.canReplace(before, now) &&
          !(before?.type === 'items' && before.state === 'completed'),
      }),
  },
]

const FAILURES = new Set(['invalid_account_details', 'failed_direct_debit', 'cancelled', 'activation_failed'])
const BEGINNINGS = new Set<unknown>(['batched', 'bank_processing'])
const TWINS = new Set(['payment_funding/credit_card', 'bpay/bpay'])

/** Treats the object as successful if `states` contains its state. */
function over(now: KnownObject, states: ReadonlySet<unknown>): KnownObject {
  const success = now.type === 'virtual_accounts' ? 'active' : 'successful'
  return states.has(now.state) ? { ...now, state: success } : now
}

function notifiedAt(entries: ObjectEntries): number | undefined {
  const { updated_at } = objectInEntry(entries.at(-1) ?? entries[0])
  return typeof updated_at === 'string' ? Date.parse(updated_at) : undefined
}
