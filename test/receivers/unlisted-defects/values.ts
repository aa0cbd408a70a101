import type { Edit, UnlistedDefect } from './defect.ts'

const readingIds = (call: string): Edit => ({
  file: 'service.mjs',
  from: 'return idOf(findObject(body, type))',
  to: `return idOf(findObject(body, type))?.${call}`,
})

export const parsingDefects: readonly UnlistedDefect[] = [
  {
    name: 'decodes-chunks-one-by-one',
    about: 'It decodes each chunk of a body separately, which breaks characters at the border of two chunks.',
    area: 'parsing',
    edits: [
      {
        file: 'main.mjs',
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
        file: 'main.mjs',
        from: '({ type, id }) => `${type} ${id}`)',
        to: 'keyOf)',
      },
      {
        file: 'main.mjs',
        from: 'const dueAt = (notifications)',
        to: 'const keyOf = ({ type, id }) => `${type}:${id}`\nconst dueAt = (notifications)',
      },
      {
        file: 'main.mjs',
        from: 'const [{ type, id }] = notifications',
        to: "const [type, id] = keyOf(notifications[0]).split(':')",
      },
    ],
  },
]

const AMOUNT = '...(Number.isSafeInteger(amount) && { amount }),'

const CURRENCY = "...(typeof currency === 'string' && { currency }),"

const inDetails = (from: string, to: string): Edit => ({ file: 'service.mjs', from, to })

export const moneyDefects: readonly UnlistedDefect[] = [
  {
    name: 'rounds-down-through-dollars',
    about: 'It converts amounts to dollars and back, and rounds down, which loses a cent of some amounts.',
    area: 'money',
    edits: [
      inDetails(AMOUNT, '...(Number.isSafeInteger(amount) && { amount: Math.floor((amount / 100) * 100) }),'),
    ],
  },
  {
    name: 'reads-payouts-as-it-prints-them',
    about: 'It parses the printed amount of a payout, and stops reading at the comma after the thousands.',
    area: 'money',
    edits: [
      inDetails(
        'const { amount, currency, user_id, account_id } = object',
        `const { currency, user_id, account_id } = object
  const isPayout = type === 'disbursements' || textOf(object, 'type') === 'disbursement'
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
      inDetails(
        CURRENCY,
        "...(typeof currency === 'string' && { currency: type === 'batch_transactions' ? 'AUD' : currency }),",
      ),
    ],
  },
  {
    name: 'remembers-the-currency-of-an-account',
    about: 'It takes the currency of the first payment on an account for the currency of all that follow.',
    area: 'money',
    edits: [
      inDetails(
        CURRENCY,
        "...(typeof currency === 'string' && { currency: currencyOf(account_id, currency) }),",
      ),
      inDetails(
        'let token\n',
        `let token
const currencies = new Map()

function currencyOf(account, currency) {
  if (!account) return currency
  if (!currencies.has(account)) currencies.set(account, currency)
  return currencies.get(account)
}
`,
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
        from: 'const { type, id, number, state, updatedAt, details } = now',
        to: `const { type, id, number, state, updatedAt } = now
    const paidFor = now.details.account_id ?? ''
    const item = find.get('items', paidFor, paidFor, paidFor)
    const details = item ? { ...now.details, amount: JSON.parse(item.details).amount } : now.details`,
      },
    ],
  },
]

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
