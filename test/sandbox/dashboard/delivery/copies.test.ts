import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { formatCurl, formatDeliver, formatVitest } from '../../../../sandbox/dashboard/delivery/copies.ts'

const HOSTILE = [
  `{"name":"it's $(touch owned) \`id\` !! \\\\ \\n"}`,
  '@/etc/passwd',
  '\u0000\u001B[2J\u0007\u202Eevil\u2028%s%b\\0101',
  '-not an option',
  'two\nlines\r\n',
  '',
]

const message = (body: string) => ({
  url: 'https://[::1]:9443/hooks?a=1&b=[2]',
  headers: [
    ['host', 'localhost'],
    ['Content-Length', '3'],
    ['content-type', 'application/json'],
    ['x-empty', ''],
  ],
  body,
})

function runInShell(program: string, command: string): string[] {
  const stub = `${program}() { for word; do printf '%s\\036' "$word"; done; case "$*" in *@-*) cat;; esac; }`
  return execFileSync('sh', ['-c', `${stub}\n${command}`], { input: '', encoding: 'utf8' }).split('\u001E')
}

test.each(HOSTILE)('the copied curl command sends exactly the bytes %j', (body) => {
  const words = runInShell('curl', formatCurl(message(body)))

  const given = words.includes('@-') ? words.at(-1) : words[words.indexOf('--data-raw') + 1]
  expect(given).toBe(body)
  expect(words).toContain('https://[::1]:9443/hooks?a=1&b=[2]')
  expect(words.filter((_, index) => words[index - 1] === '-H')).toEqual([
    'content-type: application/json',
    'x-empty;',
  ])
})

test.each(HOSTILE)('the copied hookbench command sends exactly the bytes %j', (raw) => {
  const order = { registration: 'r1', raw, headers: { 'x-a': "it's" }, signed: true, times: 3 }
  const words = runInShell('npx', formatDeliver(order))

  const given = words.includes('@-') ? words.at(-1) : words[words.indexOf('--raw') + 1]
  expect(given).toBe(raw)
  expect(words.slice(0, 4)).toEqual(['hookbench', 'deliver', '--registration', 'r1'])
  expect(words).toEqual(expect.arrayContaining(['-H', "x-a: it's", '--signed', '--times', '3']))
})

test('a copied command has no control character', () => {
  const commands = HOSTILE.flatMap((body) => [
    formatCurl(message(body)),
    formatDeliver({ registration: 'r', raw: body, headers: {}, signed: false, times: 1 }),
    formatVitest(message(body), body),
  ])

  // oxlint-disable-next-line no-control-regex -- matches the characters that the test searches for
  const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/
  expect(commands.filter((text) => obeyed.test(text))).toEqual([])
})

test.each(HOSTILE)('the copied test sends exactly the bytes %j and requires a success', async (body) => {
  const [sent, verdicts]: [unknown[], unknown[]] = [[], []]
  const source = formatVitest(message(body), `items "42", ${body}`).replace(/^import.*$/m, '')
  const names: string[] = []
  const runs: (() => Promise<void>)[] = []
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval, no-new-func -- runs the test code that the page offers for copying
  new Function('test', 'fetch', 'expect', source)(
    (name: string, run: () => Promise<void>) => {
      names.push(name)
      runs.push(run)
    },
    (...given: unknown[]) => Promise.resolve({ ok: sent.push(given) > 1, status: 302 }),
    (...given: unknown[]) => ({ toBe: (wanted: unknown) => verdicts.push([...given, wanted]) }),
  )
  for (const run of runs) await run()

  expect(names).toEqual([`the receiver accepts items "42", ${body}`])
  const headers = { 'content-type': 'application/json', 'x-empty': '' }
  expect(sent).toEqual([[message('').url, { method: 'POST', redirect: 'manual', headers, body }]])
  expect(verdicts).toEqual([[false, 'it answered 302', true]])
})
