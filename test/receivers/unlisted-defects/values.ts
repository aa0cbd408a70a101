import { inReceiver, inService, inStore, type AreaDefect, type Edit } from './defect.ts'

const readingIds = (call: string): Edit =>
  inService('const id = readId(findObject(body, type))', `const id = readId(findObject(body, type))?.${call}`)

export const parsingDefects: readonly AreaDefect[] = [
  {
    name: 'decodes-chunks-one-by-one',
    about: 'It decodes each chunk of a body separately, which breaks characters at the border of two chunks.',
    edits: [
      inReceiver('Buffer.concat(chunks)', "Buffer.from(chunks.map((chunk) => chunk.toString()).join(''))"),
    ],
  },
  {
    name: 'lower-cases-ids',
    about: 'It lower-cases ids, so that it never finds an object whose id has a capital letter.',
    edits: [readingIds('toLowerCase()')],
  },
  {
    name: 'cuts-ids-to-its-column',
    about: 'It cuts ids to the 36 characters of a UUID.',
    edits: [readingIds('slice(0, 36)')],
  },
  {
    name: 'composes-letters-of-ids',
    about:
      'It normalizes the Unicode of ids, and asks for another id where an accent is a separate character.',
    edits: [readingIds('normalize()')],
  },
  {
    name: 'splits-its-keys-at-a-colon',
    about: 'It joins type and id with a colon and splits them again, which cuts an id at its own colon.',
    edits: [
      inReceiver('({ type, id }) => `${type} ${id}`)', 'keyOf)'),
      inReceiver(
        'const dueAt = (entries)',
        'const keyOf = ({ type, id }) => `${type}:${id}`\nconst dueAt = (entries)',
      ),
      inReceiver(
        'objectPath: ([{ type, id }]) => objectPath(type, id),',
        "objectPath: ([entry]) => objectPath(...keyOf(entry).split(':')),",
      ),
      inReceiver(
        'parseKnownObject: (body, [{ type, id }]) => parseKnownObject(body, type, id),',
        "parseKnownObject: (body, [entry]) => parseKnownObject(body, ...keyOf(entry).split(':')),",
      ),
    ],
  },
]

const AMOUNT = 'amount: Number.isSafeInteger(amount) ? amount : null,'
const CURRENCY = "currency: textOf(object, 'currency'),"

export const moneyDefects: readonly AreaDefect[] = [
  {
    name: 'rounds-down-through-dollars',
    about: 'It converts amounts to dollars and back, and rounds down, which loses a cent of some amounts.',
    edits: [
      inService(AMOUNT, 'amount: Number.isSafeInteger(amount) ? Math.floor((amount / 100) * 100) : null,'),
    ],
  },
  {
    name: 'reads-payouts-as-it-prints-them',
    about: 'It parses the printed amount of a payout, and stops reading at the comma after the thousands.',
    edits: [
      inService(
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
    edits: [
      inService(CURRENCY, "currency: type === 'batch_transactions' ? 'AUD' : textOf(object, 'currency'),"),
    ],
  },
  {
    name: 'remembers-the-currency-of-an-account',
    about: 'It uses the currency of the first payment on an account for all later payments.',
    edits: [
      inService(CURRENCY, "currency: currencyOf(textOf(object, 'account_id'), textOf(object, 'currency')),"),
      inService(
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
    edits: [
      inStore(
        'const object = JSON.stringify(believed)',
        `const paidFor = believed.accountId ?? ''
    const item = find.get('items', paidFor, paidFor, paidFor)
    const amount = item ? JSON.parse(item.object).amount : believed.amount
    const object = JSON.stringify({ ...believed, amount })`,
      ),
    ],
  },
]

const ACTS = 'CREATE TABLE IF NOT EXISTS acts (key TEXT PRIMARY KEY, type TEXT, id TEXT, object TEXT);'
const ACCOUNT = "accountId: textOf(object, 'account_id'),"

export const identityDefects: readonly AreaDefect[] = [
  {
    name: 'acts-once-per-account-and-amount',
    about: 'A unique index on account and amount makes it ignore a second payment of the same amount.',
    edits: [
      inStore(
        ACTS,
        `${ACTS}
  CREATE UNIQUE INDEX IF NOT EXISTS payment ON acts (
    type, json_extract(object, '$.accountId'), json_extract(object, '$.amount'));`,
      ),
    ],
  },
  {
    name: 'groups-by-id-alone',
    about: 'It treats two objects of different types with the same id as one object.',
    edits: [inReceiver('({ type, id }) => `${type} ${id}`)', '({ id }) => id)')],
  },
  {
    name: 'lower-cases-owners',
    about: 'It lower-cases the id of the user that it acts for.',
    edits: [
      inService(
        "userId: textOf(object, 'user_id'),",
        "userId: textOf(object, 'user_id')?.toLowerCase() ?? null,",
      ),
    ],
  },
  {
    name: 'acts-on-the-transaction-of-a-payout',
    about: 'It acts on the batch transaction of a payout and on the transaction that belongs to it.',
    edits: [
      inService(
        "'transactions deposit/direct_credit',",
        "'transactions deposit/direct_credit',\n  'transactions disbursement/direct_credit',",
      ),
    ],
  },
  {
    name: 'opens-one-virtual-account-a-wallet',
    about: 'It ignores a second virtual account of the same wallet.',
    edits: [
      inService(
        ACCOUNT,
        "accountId: textOf(object, type === 'virtual_accounts' ? 'wallet_account_id' : 'account_id'),",
      ),
      inStore(
        ACTS,
        `${ACTS}
  CREATE UNIQUE INDEX IF NOT EXISTS wallet ON acts (json_extract(object, '$.accountId'))
    WHERE type = 'virtual_accounts';`,
      ),
    ],
  },
]
