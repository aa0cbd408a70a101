import { inReceiver, inService, inStore, type AreaDefect } from './defect.ts'

export const concurrencyDefects: readonly AreaDefect[] = [
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
    name: 'guards-an-account-for-two-seconds',
    about: 'Its guard against double payments ignores a second payment on an account within two seconds.',
    edits: [
      inStore(
        'const selectActs =',
        `const guarded = new Set()

function guard(account) {
  if (account === null) return true
  if (guarded.has(account)) return false
  guarded.add(account)
  setTimeout(() => guarded.delete(account), 2_000)
  return true
}

const selectActs =`,
      ),
      inStore(
        'if (key !== undefined && insertAct',
        `if (key === undefined || selectActs.get(type, id) || !guard(believed.accountId)) return
    if (insertAct`,
      ),
    ],
  },
  {
    name: 'counts-misses-of-all-objects-together',
    about: 'It counts how often any object was missing, and then gives up on each object at the first miss.',
    edits: [
      inReceiver('export const policy =', 'let misses = 0\nexport const policy ='),
      inReceiver("if (kind === 'missing' && attempts >= 3)", "if (kind === 'missing' && ++misses > 3)"),
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
    name: 'keeps-the-owner-of-the-payment-before',
    about:
      'It keeps user and account in shared variables, and uses the last ones for an object without them.',
    edits: [
      inService(
        "userId: textOf(object, 'user_id'),",
        "userId: (lastUser = textOf(object, 'user_id') ?? lastUser),",
      ),
      inService(
        "accountId: textOf(object, 'account_id'),",
        "accountId: (lastAccount = textOf(object, 'account_id') ?? lastAccount),",
      ),
      inService(
        'export function parseKnownObject(',
        'let lastUser = null\nlet lastAccount = null\nexport function parseKnownObject(',
      ),
    ],
  },
]

export const callBackDefects: readonly AreaDefect[] = [
  {
    name: 'renews-its-token-once',
    about: 'It gets a second token when the first one has expired, but never a third one.',
    edits: [
      inService(
        'export function createService(options, tokens, stopped) {',
        'let isRenewed = false\nexport function createService(options, tokens, stopped) {',
      ),
      inService('tokens.forget(granted)', 'if (!isRenewed) tokens.forget(granted)\n        isRenewed = true'),
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
    name: 'gives-up-after-eight-failures',
    about: 'It drops a notification when eight calls have failed, within a quarter of a minute.',
    edits: [
      inReceiver("if (kind === 'missing' && attempts >= 3)", "if (attempts >= (kind === 'missing' ? 3 : 7))"),
    ],
  },
  {
    name: 'gives-up-at-the-first-miss',
    about: 'It drops a notification when the service once does not know the object.',
    edits: [inReceiver("if (kind === 'missing' && attempts >= 3)", "if (kind === 'missing')")],
  },
]

const ACCEPT = 'accept({ ...route, id, body: text })'
const KEEP = `if (kind === 'notification') ${ACCEPT}`

export const httpDefects: readonly AreaDefect[] = [
  {
    name: 'has-the-body-limit-of-a-framework',
    about: 'It rejects bodies of more than 100 KB, the usual limit of a framework.',
    edits: [inReceiver('BODY_LIMIT = 1_048_576', 'BODY_LIMIT = 102_400')],
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
    name: 'ignores-bytes-that-it-has-seen',
    about: 'It ignores a body that it has received before, even if it had to give up on that notification.',
    edits: [
      inReceiver('import { createHmac,', 'import { createHash, createHmac,'),
      inReceiver(
        'export function createEndpoint(',
        'const seen = new Set()\nexport function createEndpoint(',
      ),
      inReceiver(
        KEEP,
        `const digest = createHash('sha256').update(body).digest('hex')
    if (seen.has(digest)) return { status: 204 }
    ${KEEP}
    if (kind === 'notification') seen.add(digest)`,
      ),
    ],
  },
  {
    name: 'takes-callbacks-for-copies',
    about: 'It answers callbacks with success and does nothing, since a webhook reports the same change.',
    edits: [inReceiver(KEEP, `if (kind === 'notification' && route.generation === 'webhooks') ${ACCEPT}`)],
  },
  {
    name: 'drops-notifications-when-it-is-busy',
    about: 'While 40 notifications are pending, it answers further ones with success and drops them.',
    edits: [
      inReceiver(
        'store.put(notification, clock())',
        'if (store.entries().length < 40) store.put(notification, clock())',
      ),
    ],
  },
]
