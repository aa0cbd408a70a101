import type { UnlistedDefect } from './defect.ts'

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
