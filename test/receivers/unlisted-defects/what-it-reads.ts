import { actOncePer, AMOUNT, CURRENCY, edit, IS_DUE, type UnlistedDefect } from './edits.ts'

/** Parsing, money and identity. */
export const readingDefects: readonly UnlistedDefect[] = [
  {
    name: 'parsing/reads-the-first-packet',
    about: 'It takes the first packet of a body for the whole body.',
    edits: [
      edit(
        'main.mjs',
        'if (length <= BODY_LIMIT) chunks.push(chunk)',
        'if (chunks.length === 0) chunks.push(chunk)',
      ),
    ],
  },
  {
    name: 'parsing/lower-case-ids',
    about: 'It writes ids in lower case.',
    edits: [
      edit('service.mjs', 'id.isWellFormed()) return id\n', 'id.isWellFormed()) return id.toLowerCase()\n'),
    ],
  },
  {
    name: 'parsing/state-of-another-field',
    about: 'It reads the state of a disbursement from npp_payout_state.',
    edits: [
      edit(
        'service.mjs',
        "{ users: 'verification_state',",
        "{ disbursements: 'npp_payout_state', users: 'verification_state',",
      ),
    ],
  },
  {
    name: 'money/amount-through-a-float',
    about: 'It divides an amount by 100, multiplies it again, and cuts off the rest.',
    edits: [
      edit(
        'service.mjs',
        AMOUNT,
        '...(Number.isSafeInteger(amount) && { amount: Math.trunc((amount / 100) * 100) }),',
      ),
    ],
  },
  {
    name: 'money/nine-digits',
    about: 'It keeps the first nine digits of an amount.',
    edits: [
      edit(
        'service.mjs',
        AMOUNT,
        '...(Number.isSafeInteger(amount) && { amount: Number(amount.toPrecision(9)) }),',
      ),
    ],
  },
  {
    name: 'money/first-currency',
    about: 'It takes the currency of the first payment for that of all payments.',
    edits: [
      edit('service.mjs', 'let token\n', 'let token\nlet firstCurrency\n'),
      edit(
        'service.mjs',
        CURRENCY,
        "...(typeof currency === 'string' && { currency: (firstCurrency ??= currency) }),",
      ),
    ],
  },
  {
    name: 'money/amount-of-the-account',
    about: 'It remembers the amount of an account and books it for each payment of that account.',
    edits: [
      edit('service.mjs', 'let token\n', 'let token\nconst amounts = new Map()\n'),
      edit(
        'service.mjs',
        AMOUNT,
        '...(Number.isSafeInteger(amount) && { amount: amounts.get(account_id) ?? (amounts.set(account_id, amount), amount) }),',
      ),
    ],
  },
  {
    name: 'money/no-cents',
    about: 'It does not act on less than one unit of a currency.',
    edits: [edit('service.mjs', IS_DUE, `      !(amount < 100) &&\n${IS_DUE}`)],
  },
  {
    name: 'money/large-amounts-wait',
    about: 'It leaves amounts of a hundred million or more for a review that never comes.',
    edits: [edit('service.mjs', IS_DUE, `      !(amount >= 10_000_000_000) &&\n${IS_DUE}`)],
  },
  {
    name: 'identity/payer-and-amount',
    about: 'It takes a second payment of the same amount by the same user for a duplicate.',
    edits: actOncePer('`${details.user_id} ${details.amount}`'),
  },
  {
    name: 'identity/one-payment-per-account',
    about: 'It acts on one payment of each account.',
    edits: actOncePer('details.account_id ?? id'),
  },
  {
    name: 'identity/id-without-type',
    about: 'It keeps what it has acted on by the id alone.',
    edits: actOncePer('id'),
  },
  {
    name: 'identity/start-of-the-id',
    about: 'It keeps what it has acted on by the first eight characters of the id, in lower case.',
    edits: actOncePer('id.slice(0, 8).toLowerCase()'),
  },
]
