import { policy as carefulPolicy } from '../../../contracts/reference-receiver/starter/receiver.mjs'
import { retryingAfter, withPolicy, type Defect } from './defect.ts'

export const oracleDefects: readonly Defect[] = [
  {
    name: 'asks-for-transactions-in-lower-case',
    about: 'It converts the id of a transaction to lower case when it asks the service.',
    check: 'oracle/any-world',
    parts: () =>
      withPolicy({
        objectPath(entries) {
          const path = carefulPolicy.objectPath(entries)
          return entries[0].type === 'transactions' ? path?.toLowerCase() : path
        },
      }),
  },
  {
    name: 'asks-again-without-a-pause',
    about: 'It asks again at once when the service fails.',
    check: 'oracle/within-bounds',
    parts: () => retryingAfter(0, ({ kind }) => kind === 'unavailable'),
  },
]
