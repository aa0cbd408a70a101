import type { UnlistedDefect } from './defect.ts'

export const concurrencyDefects: readonly UnlistedDefect[] = [
  {
    name: 'forgets-what-came-meanwhile',
    about: 'It deletes all notifications of an object, also those that arrived while it asked the service.',
    area: 'concurrency',
    edits: [
      {
        file: 'store.mjs',
        from: "const remove = database.prepare('DELETE FROM inbox WHERE number = ?')",
        to: `const remove = database.prepare('DELETE FROM inbox WHERE number = ?')
const removeObject = database.prepare('DELETE FROM inbox WHERE type = ? AND id = ?')`,
      },
      {
        file: 'store.mjs',
        from: 'for (const { number } of entries) remove.run(number)',
        to: 'removeObject.run(entries[0].type, entries[0].id)',
      },
    ],
  },
  {
    name: 'guards-an-account-for-two-seconds',
    about: 'Its guard against double payments ignores a second payment on an account within two seconds.',
    area: 'concurrency',
    edits: [
      {
        file: 'store.mjs',
        from: 'const selectActs =',
        to: `const guarded = new Set()

function guard(account) {
  if (account === null) return true
  if (guarded.has(account)) return false
  guarded.add(account)
  setTimeout(() => guarded.delete(account), 2_000)
  return true
}

const selectActs =`,
      },
      {
        file: 'store.mjs',
        from: 'if (key !== undefined && insertAct',
        to: `if (key === undefined || selectActs.get(type, id) || !guard(believed.accountId)) return
    if (insertAct`,
      },
    ],
  },
  {
    name: 'counts-misses-of-all-objects-together',
    about: 'It counts how often any object was missing, and then gives up on each object at the first miss.',
    area: 'concurrency',
    edits: [
      { file: 'receiver.mjs', from: 'export const policy =', to: 'let misses = 0\nexport const policy =' },
      {
        file: 'receiver.mjs',
        from: "if (kind === 'missing' && attempts >= 3)",
        to: "if (kind === 'missing' && ++misses > 3)",
      },
    ],
  },
  {
    name: 'leaks-a-slot-at-each-broken-call',
    about: 'It limits its calls to 24 at a time, and a failed call never releases its slot.',
    area: 'concurrency',
    edits: [
      {
        file: 'service.mjs',
        from: 'async function call(path, granted) {',
        to: `let free = 24

async function call(path, granted) {
  if (free === 0) return { kind: 'unavailable', status: undefined, retryAfterMs: 100 }
  free -= 1`,
      },
      {
        file: 'service.mjs',
        from: 'const { status } = response',
        to: 'free += 1\n  const { status } = response',
      },
    ],
  },
  {
    name: 'keeps-the-owner-of-the-payment-before',
    about:
      'It keeps user and account in shared variables, and uses the last ones for an object without them.',
    area: 'concurrency',
    edits: [
      {
        file: 'service.mjs',
        from: "userId: textOf(object, 'user_id'),",
        to: "userId: (lastUser = textOf(object, 'user_id') ?? lastUser),",
      },
      {
        file: 'service.mjs',
        from: "accountId: textOf(object, 'account_id'),",
        to: "accountId: (lastAccount = textOf(object, 'account_id') ?? lastAccount),",
      },
      {
        file: 'service.mjs',
        from: 'export function parseKnownObject(',
        to: 'let lastUser = null\nlet lastAccount = null\nexport function parseKnownObject(',
      },
    ],
  },
]

export const callBackDefects: readonly UnlistedDefect[] = [
  {
    name: 'renews-its-token-once',
    about: 'It gets a second token when the first one has expired, but never a third one.',
    area: 'call-back',
    edits: [
      {
        file: 'service.mjs',
        from: 'export function createService(options, tokens, stopped) {',
        to: 'let isRenewed = false\nexport function createService(options, tokens, stopped) {',
      },
      {
        file: 'service.mjs',
        from: 'tokens.forget(granted)',
        to: 'if (!isRenewed) tokens.forget(granted)\n        isRenewed = true',
      },
    ],
  },
  {
    name: 'keeps-a-failed-token',
    about: 'It caches a failed token request, and never asks for a token again.',
    area: 'call-back',
    edits: [
      {
        file: 'service.mjs',
        from: 'granted.catch(() => forget(granted))',
        to: '',
      },
    ],
  },
  {
    name: 'takes-an-internal-error-for-an-answer',
    about: 'It waits for the service on 503 only, and gives up soon on 500, 502 and 504.',
    area: 'call-back',
    edits: [
      {
        file: 'service.mjs',
        from: 'if (status === 404 || (',
        to: 'if (![401, 403, 429, 503].includes(status) || (',
      },
    ],
  },
  {
    name: 'gives-up-after-eight-failures',
    about: 'It drops a notification when eight calls have failed, within a quarter of a minute.',
    area: 'call-back',
    edits: [
      {
        file: 'receiver.mjs',
        from: "if (kind === 'missing' && attempts >= 3)",
        to: "if (attempts >= (kind === 'missing' ? 3 : 7))",
      },
    ],
  },
  {
    name: 'gives-up-at-the-first-miss',
    about: 'It drops a notification when the service once does not know the object.',
    area: 'call-back',
    edits: [
      {
        file: 'receiver.mjs',
        from: "if (kind === 'missing' && attempts >= 3)",
        to: "if (kind === 'missing')",
      },
    ],
  },
]

const ACCEPT = 'accept({ ...route, id, body: text })'
const KEEP = `if (kind === 'notification') ${ACCEPT}`

export const httpDefects: readonly UnlistedDefect[] = [
  {
    name: 'has-the-body-limit-of-a-framework',
    about: 'It rejects bodies of more than 100 KB, the usual limit of a framework.',
    area: 'http',
    edits: [{ file: 'receiver.mjs', from: 'BODY_LIMIT = 1_048_576', to: 'BODY_LIMIT = 102_400' }],
  },
  {
    name: 'knows-one-spelling-of-a-header',
    about: 'It finds the signature only if the name of the header has the usual capital letter.',
    area: 'http',
    edits: [
      {
        file: 'receiver.mjs',
        from: 'headers: request.headers,',
        to: `headers: {
        ...request.headers,
        'webhooks-signature': request.rawHeaders[request.rawHeaders.indexOf('Webhooks-signature') + 1],
      },`,
      },
    ],
  },
  {
    name: 'ignores-bytes-that-it-has-seen',
    about: 'It ignores a body that it has received before, even if it had to give up on that notification.',
    area: 'http',
    edits: [
      { file: 'receiver.mjs', from: 'import { createHmac,', to: 'import { createHash, createHmac,' },
      {
        file: 'receiver.mjs',
        from: 'export function createEndpoint(',
        to: 'const seen = new Set()\nexport function createEndpoint(',
      },
      {
        file: 'receiver.mjs',
        from: KEEP,
        to: `const digest = createHash('sha256').update(body).digest('hex')
    if (seen.has(digest)) return { status: 204 }
    ${KEEP}
    if (kind === 'notification') seen.add(digest)`,
      },
    ],
  },
  {
    name: 'takes-callbacks-for-copies',
    about: 'It answers callbacks with success and does nothing, since a webhook reports the same change.',
    area: 'http',
    edits: [
      {
        file: 'receiver.mjs',
        from: KEEP,
        to: `if (kind === 'notification' && route.generation === 'webhooks') ${ACCEPT}`,
      },
    ],
  },
  {
    name: 'drops-notifications-when-it-is-busy',
    about: 'While 40 notifications are pending, it answers further ones with success and drops them.',
    area: 'http',
    edits: [
      {
        file: 'receiver.mjs',
        from: 'store.put(notification, clock())',
        to: 'if (store.entries().length < 40) store.put(notification, clock())',
      },
    ],
  },
]
