import type { Edit, UnlistedDefect } from './defect.ts'

const readingIds = (call: string): Edit => ({
  file: 'service.mjs',
  from: 'const id = readId(findObject(body, type))',
  to: `const id = readId(findObject(body, type))?.${call}`,
})

export const parsingDefects: readonly UnlistedDefect[] = [
  {
    name: 'decodes-chunks-one-by-one',
    about: 'It decodes each chunk of a body separately, which breaks characters at the border of two chunks.',
    area: 'parsing',
    edits: [
      {
        file: 'receiver.mjs',
        from: 'Buffer.concat(chunks)',
        to: "Buffer.from(chunks.map((chunk) => chunk.toString()).join(''))",
      },
    ],
  },
  {
    name: 'lower-cases-ids',
    about: 'It lower-cases ids, so that it never finds an object whose id has a capital letter.',
    area: 'parsing',
    edits: [readingIds('toLowerCase()')],
  },
  {
    name: 'cuts-ids-to-its-column',
    about: 'It cuts ids to the 36 characters of a UUID.',
    area: 'parsing',
    edits: [readingIds('slice(0, 36)')],
  },
  {
    name: 'composes-letters-of-ids',
    about:
      'It normalizes the Unicode of ids, and asks for another id where an accent is a separate character.',
    area: 'parsing',
    edits: [readingIds('normalize()')],
  },
  {
    name: 'splits-its-keys-at-a-colon',
    about: 'It joins type and id with a colon and splits them again, which cuts an id at its own colon.',
    area: 'parsing',
    edits: [
      {
        file: 'receiver.mjs',
        from: '({ type, id }) => `${type} ${id}`)',
        to: 'keyOf)',
      },
      {
        file: 'receiver.mjs',
        from: 'const dueAt = (entries)',
        to: 'const keyOf = ({ type, id }) => `${type}:${id}`\nconst dueAt = (entries)',
      },
      {
        file: 'receiver.mjs',
        from: 'objectPath: ([{ type, id }]) => objectPath(type, id),',
        to: "objectPath: ([entry]) => objectPath(...keyOf(entry).split(':')),",
      },
      {
        file: 'receiver.mjs',
        from: 'parseKnownObject: (body, [{ type, id }]) => parseKnownObject(body, type, id),',
        to: "parseKnownObject: (body, [entry]) => parseKnownObject(body, ...keyOf(entry).split(':')),",
      },
    ],
  },
]

const AMOUNT = 'amount: Number.isSafeInteger(amount) ? amount : null,'
const CURRENCY = "currency: textOf(object, 'currency'),"
const inDetails = (from: string, to: string): Edit => ({ file: 'service.mjs', from, to })

export const moneyDefects: readonly UnlistedDefect[] = [
  {
    name: 'rounds-down-through-dollars',
    about: 'It converts amounts to dollars and back, and rounds down, which loses a cent of some amounts.',
    area: 'money',
    edits: [
      inDetails(AMOUNT, 'amount: Number.isSafeInteger(amount) ? Math.floor((amount / 100) * 100) : null,'),
    ],
  },
  {
    name: 'reads-payouts-as-it-prints-them',
    about: 'It parses the printed amount of a payout, and stops reading at the comma after the thousands.',
    area: 'money',
    edits: [
      inDetails(
        "const amount = readField(object, 'amount')",
        `const isPayout = type === 'disbursements' || textOf(object, 'type') === 'disbursement'
  const printed = (object.amount / 100).toLocaleString('en-AU')
  const amount = isPayout ? Math.round(parseFloat(printed) * 100) : object.amount`,
      ),
    ],
  },
  {
    name: 'books-batches-in-dollars',
    about: 'It assumes that batch transactions, which only banks in Australia settle, are in AUD.',
    area: 'money',
    edits: [
      inDetails(CURRENCY, "currency: type === 'batch_transactions' ? 'AUD' : textOf(object, 'currency'),"),
    ],
  },
  {
    name: 'remembers-the-currency-of-an-account',
    about: 'It uses the currency of the first payment on an account for all later payments.',
    area: 'money',
    edits: [
      inDetails(CURRENCY, "currency: currencyOf(textOf(object, 'account_id'), textOf(object, 'currency')),"),
      inDetails(
        'export function parseKnownObject(',
        `const currencies = new Map()

function currencyOf(account, currency) {
  if (!account || !currency) return currency
  if (!currencies.has(account)) currencies.set(account, currency)
  return currencies.get(account)
}

export function parseKnownObject(`,
      ),
    ],
  },
  {
    name: 'books-the-price-of-the-item',
    about: 'It books the last price of the item that it knows, not the amount of the payment.',
    area: 'money',
    edits: [
      {
        file: 'store.mjs',
        from: 'const object = JSON.stringify(believed)',
        to: `const paidFor = believed.accountId ?? ''
    const item = find.get('items', paidFor, paidFor, paidFor)
    const amount = item ? JSON.parse(item.object).amount : believed.amount
    const object = JSON.stringify({ ...believed, amount })`,
      },
    ],
  },
]

const ACTS = 'CREATE TABLE IF NOT EXISTS acts (key TEXT PRIMARY KEY, type TEXT, id TEXT, object TEXT);'
const ACCOUNT = "accountId: textOf(object, 'account_id'),"

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
    type, json_extract(object, '$.accountId'), json_extract(object, '$.amount'));`,
      },
    ],
  },
  {
    name: 'groups-by-id-alone',
    about: 'It treats two objects of different types with the same id as one object.',
    area: 'identity',
    edits: [{ file: 'receiver.mjs', from: '({ type, id }) => `${type} ${id}`)', to: '({ id }) => id)' }],
  },
  {
    name: 'lower-cases-owners',
    about: 'It lower-cases the id of the user that it acts for.',
    area: 'identity',
    edits: [
      {
        file: 'service.mjs',
        from: "userId: textOf(object, 'user_id'),",
        to: "userId: textOf(object, 'user_id')?.toLowerCase() ?? null,",
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
    about: 'It ignores a second virtual account of the same wallet.',
    area: 'identity',
    edits: [
      {
        file: 'service.mjs',
        from: ACCOUNT,
        to: "accountId: textOf(object, type === 'virtual_accounts' ? 'wallet_account_id' : 'account_id'),",
      },
      {
        file: 'store.mjs',
        from: ACTS,
        to: `${ACTS}
  CREATE UNIQUE INDEX IF NOT EXISTS wallet ON acts (json_extract(object, '$.accountId'))
    WHERE type = 'virtual_accounts';`,
      },
    ],
  },
]
