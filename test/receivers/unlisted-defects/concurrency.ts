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
