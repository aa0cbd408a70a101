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
        from: 'for (const { number } of notifications) remove.run(number)',
        to: 'removeObject.run(notifications[0].type, notifications[0].id)',
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
        from: 'const findAct =',
        to: `const guarded = new Set()

function guard(account) {
  if (account === undefined) return true
  if (guarded.has(account)) return false
  guarded.add(account)
  setTimeout(() => guarded.delete(account), 2_000)
  return true
}

const findAct =`,
      },
      {
        file: 'store.mjs',
        from: 'if (now.isDue && insertAct',
        to: `if (!now.isDue || findAct.get(type, id) || !guard(details.account_id)) return
    if (insertAct`,
      },
    ],
  },
  {
    name: 'counts-misses-of-all-objects-together',
    about: 'It counts how often any object was missing, and then gives up on each object at the first miss.',
    area: 'concurrency',
    edits: [
      { file: 'main.mjs', from: 'let timer\n', to: 'let timer\nlet misses = 0\n' },
      { file: 'main.mjs', from: 'if (isMissing && attempts >= 3)', to: 'if (isMissing && ++misses > 3)' },
    ],
  },
  {
    name: 'leaks-a-slot-at-each-broken-call',
    about: 'It limits its calls to 24 at a time, and a call that breaks never gives its slot back.',
    area: 'concurrency',
    edits: [
      {
        file: 'service.mjs',
        from: 'async function call(path, granted) {',
        to: `let free = 24

async function call(path, granted) {
  if (free === 0) return { retryAfterMs: 100 }
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
        from: 'const { amount, currency, user_id, account_id } = object',
        to: `const { amount, currency } = object
  user_id = object.user_id ?? user_id
  account_id = object.account_id ?? account_id`,
      },
      { file: 'service.mjs', from: 'let token\n', to: 'let token\nlet user_id\nlet account_id\n' },
    ],
  },
]

export const callBackDefects: readonly UnlistedDefect[] = [
  {
    name: 'renews-its-token-once',
    about: 'It gets a second token when the first one has expired, and never a third one.',
    area: 'call-back',
    edits: [
      { file: 'service.mjs', from: 'let token\n', to: 'let token\nlet isRenewed = false\n' },
      {
        file: 'service.mjs',
        from: `the others find the new one.
    if (token === granted) token = undefined`,
        to: `the others find the new one.
    if (token === granted && !isRenewed) token = undefined
    isRenewed = true`,
      },
    ],
  },
  {
    name: 'keeps-a-failed-token',
    about: 'It keeps the failure when it could not get a token, and never asks for a token again.',
    area: 'call-back',
    edits: [
      {
        file: 'service.mjs',
        from: `  granted.catch(() => {
    if (token === granted) token = undefined
  })
`,
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
        file: 'main.mjs',
        from: 'if (isMissing && attempts >= 3)',
        to: 'if (attempts >= (isMissing ? 3 : 7))',
      },
    ],
  },
  {
    name: 'gives-up-at-the-first-miss',
    about: 'It drops a notification when the service answers once that it does not know the object.',
    area: 'call-back',
    edits: [{ file: 'main.mjs', from: 'if (isMissing && attempts >= 3)', to: 'if (isMissing)' }],
  },
]

const RECEIVE = "function receive({ method, url = '', headers }, body) {"

const KEEP = '  keepNotification(type, id)\n'

export const httpDefects: readonly UnlistedDefect[] = [
  {
    name: 'has-the-body-limit-of-a-framework',
    about: 'It rejects bodies of more than 100 KB, the usual limit of a framework.',
    area: 'http',
    edits: [{ file: 'main.mjs', from: 'BODY_LIMIT = 1_048_576', to: 'BODY_LIMIT = 102_400' }],
  },
  {
    name: 'knows-one-spelling-of-a-header',
    about: 'It finds the signature only if the name of the header has the usual capital letter.',
    area: 'http',
    edits: [
      { file: 'main.mjs', from: RECEIVE, to: RECEIVE.replace('headers', 'headers, rawHeaders') },
      {
        file: 'main.mjs',
        from: "headers['webhooks-signature']",
        to: "rawHeaders[rawHeaders.indexOf('Webhooks-signature') + 1]",
      },
    ],
  },
  {
    name: 'ignores-bytes-that-it-has-seen',
    about: 'It ignores a body that it has received before, even if it had to give up on that notification.',
    area: 'http',
    edits: [
      { file: 'main.mjs', from: 'import { createHmac,', to: 'import { createHash, createHmac,' },
      { file: 'main.mjs', from: RECEIVE, to: `const seen = new Set()\n\n${RECEIVE}` },
      {
        file: 'main.mjs',
        from: KEEP,
        to: `  const digest = createHash('sha256').update(body).digest('hex')
  if (seen.has(digest)) return 204
${KEEP}  seen.add(digest)
`,
      },
    ],
  },
  {
    name: 'takes-callbacks-for-copies',
    about: 'It answers callbacks with success and does nothing, since a webhook reports the same change.',
    area: 'http',
    edits: [{ file: 'main.mjs', from: KEEP, to: `  if (!isWebhook) return 204\n${KEEP}` }],
  },
  {
    name: 'drops-notifications-when-it-is-busy',
    about: 'While 40 notifications are pending, it answers further ones with success and drops them.',
    area: 'http',
    edits: [
      { file: 'main.mjs', from: KEEP, to: `  if (listNotifications().length >= 40) return 204\n${KEEP}` },
    ],
  },
]
