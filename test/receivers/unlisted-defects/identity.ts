import type { UnlistedDefect } from './defect.ts'

const ACTS = 'CREATE TABLE IF NOT EXISTS acts (type TEXT, id TEXT, details TEXT, PRIMARY KEY (type, id));'
const ACCOUNT = "...(typeof account_id === 'string' && { account_id }),"

export const identityDefects: readonly UnlistedDefect[] = [
  {
    name: 'acts-once-per-account-and-amount',
    about: 'A unique index on account and amount makes it ignore a second payment of the same amount.',
    area: 'identity',
    edits: [
      {
        file: 'store.mjs',
        from: ACTS,
        to: `${ACTS}
  CREATE UNIQUE INDEX IF NOT EXISTS payment ON acts (
    type, json_extract(details, '$.account_id'), json_extract(details, '$.amount'));`,
      },
    ],
  },
  {
    name: 'groups-by-id-alone',
    about: 'It takes two objects of different types with the same id for one, and looks at one of them.',
    area: 'identity',
    edits: [{ file: 'main.mjs', from: '({ type, id }) => `${type} ${id}`)', to: '({ id }) => id)' }],
  },
  {
    name: 'lower-cases-owners',
    about: 'It lower-cases the id of the user that it acts for.',
    area: 'identity',
    edits: [
      {
        file: 'service.mjs',
        from: "...(typeof user_id === 'string' && { user_id }),",
        to: "...(typeof user_id === 'string' && { user_id: user_id.toLowerCase() }),",
      },
    ],
  },
  {
    name: 'acts-on-the-transaction-of-a-payout',
    about: 'It acts on the batch transaction of a payout and on the transaction that belongs to it.',
    area: 'identity',
    edits: [
      {
        file: 'service.mjs',
        from: "'transactions deposit/direct_credit',",
        to: "'transactions deposit/direct_credit',\n  'transactions disbursement/direct_credit',",
      },
    ],
  },
  {
    name: 'opens-one-virtual-account-a-wallet',
    about: 'It knows virtual accounts by their wallet, and ignores a second virtual account of a wallet.',
    area: 'identity',
    edits: [
      {
        file: 'service.mjs',
        from: ACCOUNT,
        to: `${ACCOUNT}
      ...(type === 'virtual_accounts' && { account_id: object.wallet_account_id }),`,
      },
      {
        file: 'store.mjs',
        from: ACTS,
        to: `${ACTS}
  CREATE UNIQUE INDEX IF NOT EXISTS wallet ON acts (json_extract(details, '$.account_id'))
    WHERE type = 'virtual_accounts';`,
      },
    ],
  },
]
