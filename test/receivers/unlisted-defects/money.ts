import type { Edit, UnlistedDefect } from './defect.ts'

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
