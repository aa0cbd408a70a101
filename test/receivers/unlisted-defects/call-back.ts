import type { UnlistedDefect } from './defect.ts'

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
