import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A mistake in the starter receiver that no specific check tests. */
export interface UnlistedDefect {
  readonly name: string
  /** One sentence that describes a receiver with this defect. */
  readonly about: string
  readonly edits: readonly Edit[]
}

/** A replacement for a text that occurs exactly once in the file. */
interface Edit {
  readonly file: StarterFile
  readonly from: string
  readonly to: string
}

type StarterFile = 'main.mjs' | 'receiver.mjs' | 'service.mjs' | 'store.mjs'

const STARTER = new URL('../../contracts/reference-receiver/starter/', import.meta.url)
const FILES: readonly StarterFile[] = ['main.mjs', 'receiver.mjs', 'service.mjs', 'store.mjs']

const inReceiver = (from: string, to: string): Edit => ({ file: 'receiver.mjs', from, to })
const inService = (from: string, to: string): Edit => ({ file: 'service.mjs', from, to })
const inStore = (from: string, to: string): Edit => ({ file: 'store.mjs', from, to })

const ACTS = 'CREATE TABLE IF NOT EXISTS acts (key TEXT PRIMARY KEY, type TEXT, id TEXT, object TEXT);'

/** Defects of the starter receiver for which no specific check exists. Only random worlds reveal these defects. */
export const UNLISTED_DEFECTS: readonly UnlistedDefect[] = [
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
    edits: [
      inService(
        'const id = readId(findObject(body, type))',
        'const id = readId(findObject(body, type))?.toLowerCase()',
      ),
    ],
  },
  {
    name: 'rounds-down-through-dollars',
    about: 'It converts amounts to dollars and back, and rounds down, which loses a cent of some amounts.',
    edits: [
      inService(
        'amount: Number.isSafeInteger(amount) ? amount : null,',
        'amount: Number.isSafeInteger(amount) ? Math.floor((amount / 100) * 100) : null,',
      ),
    ],
  },
  {
    name: 'books-batches-in-dollars',
    about: 'It assumes that batch transactions, which only banks in Australia settle, are in AUD.',
    edits: [
      inService(
        "currency: textOf(object, 'currency'),",
        "currency: type === 'batch_transactions' ? 'AUD' : textOf(object, 'currency'),",
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
    name: 'forgets-what-came-meanwhile',
    about: 'It deletes all notifications of an object, also those that arrived while it asked the service.',
    edits: [
      inStore(
        "const remove = database.prepare('DELETE FROM inbox WHERE number = ?')",
        `const remove = database.prepare('DELETE FROM inbox WHERE number = ?')
const removeObject = database.prepare('DELETE FROM inbox WHERE type = ? AND id = ?')`,
      ),
      inStore(
        'for (const { number } of entries) remove.run(number)',
        'removeObject.run(entries[0].type, entries[0].id)',
      ),
    ],
  },
  {
    name: 'leaks-a-slot-at-each-broken-call',
    about: 'It limits its calls to 24 at a time, and a failed call never releases its slot.',
    edits: [
      inService(
        'async function call(path, granted) {',
        `let free = 24

async function call(path, granted) {
  if (free === 0) return { kind: 'unavailable', status: undefined, retryAfterMs: 100 }
  free -= 1`,
      ),
      inService('const { status } = response', 'free += 1\n  const { status } = response'),
    ],
  },
  {
    name: 'keeps-a-failed-token',
    about: 'It caches a failed token request, and never asks for a token again.',
    edits: [inService('granted.catch(() => forget(granted))', '')],
  },
  {
    name: 'takes-an-internal-error-for-an-answer',
    about: 'It waits for the service on 503 only, and gives up soon on 500, 502 and 504.',
    edits: [inService('if (status === 404 || (', 'if (![401, 403, 429, 503].includes(status) || (')],
  },
  {
    name: 'gives-up-at-the-first-miss',
    about: 'It drops a notification when the service once does not know the object.',
    edits: [inReceiver("if (kind === 'missing' && attempts >= 3)", "if (kind === 'missing')")],
  },
  {
    name: 'knows-one-spelling-of-a-header',
    about: 'It finds the signature only if the name of the header has the usual capital letter.',
    edits: [
      inReceiver(
        'headers: request.headers,',
        `headers: {
        ...request.headers,
        'webhooks-signature': request.rawHeaders[request.rawHeaders.indexOf('Webhooks-signature') + 1],
      },`,
      ),
    ],
  },
  {
    name: 'takes-callbacks-for-copies',
    about: 'It answers callbacks with success and does nothing, since a webhook reports the same change.',
    edits: [
      inReceiver(
        "if (kind === 'notification') accept(",
        "if (kind === 'notification' && route.generation === 'webhooks') accept(",
      ),
    ],
  },
  {
    name: 'drops-failed-work-at-a-start',
    about: 'At a start it deletes notifications that have failed three times.',
    edits: [inStore(ACTS, `${ACTS}\n  DELETE FROM inbox WHERE attempts >= 3;`)],
  },
  {
    name: 'merges-with-what-is-pending',
    about:
      'It ignores a notification while another one of the object is pending, even if its call has begun.',
    edits: [
      inStore('dueAt REAL);', 'dueAt REAL, UNIQUE (type, id));'),
      inStore('INSERT INTO inbox', 'INSERT OR IGNORE INTO inbox'),
    ],
  },
  {
    name: 'expires-payments-after-three-days',
    about: 'It ignores a change that comes more than three days after the change before it.',
    edits: [
      inService(
        'if (before === undefined) return true',
        `if (before === undefined) return true
  if (now.updatedAt - before.updatedAt > 3 * 86_400_000) return false`,
      ),
    ],
  },
  {
    name: 'ignores-what-is-dated-ahead',
    about: 'It accepts and drops a notification that is dated more than a week ahead of its clock.',
    edits: [
      inReceiver(
        "if (kind === 'notification') accept(",
        `const aheadOfUsMs = Date.parse(posted?.[route.type]?.updated_at) - clock()
    if (aheadOfUsMs > 7 * 86_400_000) return { status: 204 }
    if (kind === 'notification') accept(`,
      ),
    ],
  },
]

/** Writes the files of the starter receiver with this defect into an existing folder. */
export function writeDefectiveStarter(defect: UnlistedDefect, folder: string): void {
  for (const [file, text] of editStarter(defect)) writeFileSync(join(folder, file), text)
}

/** Returns the edited text of each starter file. Throws if an edit does not match exactly once. */
export function editStarter({ name, edits }: UnlistedDefect): ReadonlyMap<StarterFile, string> {
  const texts = new Map(FILES.map((file) => [file, readFileSync(new URL(file, STARTER), 'utf8')] as const))
  for (const { file, from, to } of edits) {
    const [before, after, ...rest] = (texts.get(file) ?? '').split(from)
    if (before === undefined || after === undefined || rest.length > 0)
      throw new Error(`Cannot add the defect "${name}" to ${file}: its text must occur once: ${from}`)
    texts.set(file, `${before}${to}${after}`)
  }
  return texts
}
