import {
  policy as carefulPolicy,
  type ObjectEntries,
} from '../../../contracts/reference-receiver/starter/receiver.mjs'
import { parseKnownObject } from '../../../contracts/reference-receiver/starter/service.mjs'
import type { KnownObject } from '../../../contracts/reference-receiver/starter/store.mjs'
import { changingKnown, withPolicy, type Defect } from './defect.ts'

/** Defects of receivers that trust forged notifications. */
export const forgeryDefects: readonly Defect[] = [
  {
    name: 'never-asks-back',
    about: 'It believes each notification.',
    check: 'trust/asks-back',
    alsoFails: {
      order: 'any-sequence documented-order interleaved-payments failure-branches',
      recovery: 'missed-notifications',
      trust: 'fabricated-id lying-body virtual-account-status wrong-party',
    },
    parts: () => ({
      ...withPolicy({ parseKnownObject: (_, entries) => claimedObject(entries) }),
      service: () => ({ show: () => Promise.resolve({ kind: 'shown', body: undefined }) }),
    }),
  },
  {
    name: 'asks-back-and-believes-the-body',
    about: 'It checks that the object exists, and believes the notification.',
    check: 'trust/lying-body',
    alsoFails: {
      order: 'any-sequence documented-order interleaved-payments failure-branches',
      trust: 'virtual-account-status wrong-party',
    },
    parts: () =>
      withPolicy({
        parseKnownObject: changingKnown((known, entries) => claimedObject(entries) ?? known),
      }),
  },
  {
    name: 'believes-what-cannot-be-found',
    about: 'It believes a notification of an object that the service does not know.',
    check: 'trust/fabricated-id',
    parts: () => ({
      ...withPolicy({
        parseKnownObject: (shown, entries) =>
          shown === undefined ? claimedObject(entries) : carefulPolicy.parseKnownObject(shown, entries),
      }),
      service: (service) => ({
        async show(path) {
          const shown = await service.show(path)
          return shown.kind === 'missing' ? { kind: 'shown', body: undefined } : shown
        },
      }),
    }),
  },
  {
    name: 'takes-the-currency-of-the-body',
    about: 'It reads the state and the amount from the service, and the currency from the notification.',
    check: 'trust/lying-body',
    parts: () =>
      withPolicy({
        parseKnownObject: changingKnown((known, entries) => ({
          ...known,
          currency: claimedObject(entries)?.currency ?? known.currency,
        })),
      }),
  },
  {
    name: 'pays-whom-the-body-names',
    about: 'It reads the state and the amount from the service, and the payee from the notification.',
    check: 'trust/wrong-party',
    parts: () =>
      withPolicy({
        parseKnownObject: changingKnown((known, entries) => {
          const { userId, accountId } = claimedObject(entries) ?? known
          return { ...known, userId, accountId }
        }),
      }),
  },
]

/** Returns the object in a body, without asking the service. */
function claimedObject(entries: ObjectEntries): KnownObject | undefined {
  const { type, id, body } = entries.at(-1) ?? entries[0]
  const known = parseKnownObject(JSON.parse(body), type, id)
  return known && type === 'virtual_accounts' ? { ...known, state: 'active' } : known
}
