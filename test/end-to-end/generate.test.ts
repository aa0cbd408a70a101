import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'
import { DELIVERY } from '../../spec/generated/delivery.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import { paymentKinds } from '../../spec/payments.ts'
import { useWorkshop } from '../support/workshop.ts'
import { startWalk } from '../support/walk.ts'

const TSC = join(dirname(fileURLToPath(import.meta.url)), '../../node_modules/.bin/tsc')
const VOCABULARY = {
  extwallet: 'pay2lane',
  partner: 'gateway',
  legacy: 'oldpay',
  items: 'orders',
  request_response: 'request_responses',
}
const platformWord = (type: string) => (type === 'items' ? VOCABULARY.items : type)
const shop = useWorkshop()
const at = (...path: readonly string[]) => join(shop.folder, ...path)

/** The strictest compiler options: no `node` or `dom` types, and the oldest supported language version. */
const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'es2016',
  lib: ['es2016'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedModules: true,
  declaration: true,
  outDir: 'built',
}

const RECEIVER = `
import { parseNotification, tolerantValidators, validators, type BodyType, type Item } from './payments/index.js'

export const fees: number[] = []
export const types: (BodyType | 'test')[] = []

export function receive(body: unknown): boolean {
  const parsed = parseNotification(body)
  if (!parsed.ok) return false
  types.push(parsed.type)
  switch (parsed.type) {
    case 'orders': {
      const item: Item = parsed.notification.orders
      fees.push(item.pay2lane_fee + item.oldpay_fee)
      // @ts-expect-error -- this platform uses its own word instead of extwallet
      void item.extwallet_fee
      return item.state satisfies string === 'completed' || validators.Item(item)
    }
    case 'disbursements':
      return parsed.notification.disbursements.gateway_payment_transaction_id !== ''
    case 'test':
      return parsed.notification.message !== ''
    default:
      return tolerantValidators.TolerantNotification(body)
  }
}

export { parseNotification }
export const { WebhookList: isWebhookList, WebhookJobList: isJobList } = validators
export const isItem = (value: unknown): value is Item => validators.Item(value)
`

test('generated code parses the notifications of a sandbox with a custom vocabulary', async () => {
  writeFileSync(at('hookbench.config.json'), JSON.stringify({ memory: true, vocabulary: VOCABULARY }))
  const generate = ['generate', '--out', 'payments', '--vocabulary', 'hookbench.config.json']
  const { code, stdout } = await shop.run(...generate)
  writeFileSync(at('package.json'), '{ "type": "module" }')
  writeFileSync(at('receiver.ts'), RECEIVER)
  writeFileSync(
    at('tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['receiver.ts'] }),
  )
  const compiled = spawnSync(TSC, ['-p', shop.folder], { encoding: 'utf8' })
  const { parseNotification, receive, fees, types, isItem, isWebhookList, isJobList } = await import(
    pathToFileURL(at('built/receiver.js')).href
  )

  const walk = await startWalk({ settings: { ...defaultSettings, vocabulary: VOCABULARY } })
  walk.answer(({ body }) => (receive(body) === true ? 204 : 400))
  for (const type of DELIVERY.object_types.webhooks.value) {
    const registration = { url: walk.urlFor('webhooks', type), object_type: platformWord(type) }
    await walk.service('POST', '/webhooks', registration)
  }
  const made = await walk.bench('POST', '/objects/items', { extwallet_fee: 5, legacy_fee: 2 })
  for (const type of ['users', 'accounts', 'companies']) await walk.bench('POST', `/objects/${type}`, {})
  for (const kind of paymentKinds) await walk.bench('POST', '/payments', { kind, amount: 4_200 })
  await walk.bench('POST', '/clock/advance', { by: '0s' })
  const shown = await walk.service('GET', `/items/${made.body.id}`)
  const { body: webhooks } = await walk.service('GET', '/webhooks')
  const jobs = await walk.service('GET', `/webhooks/${webhooks.webhooks[0].uuid}/jobs`)
  const refused = walk.received.filter(({ body }) => !parseNotification(body).ok)
  await walk.close()

  expect([code, compiled.stdout, stdout]).toEqual([0, '', expect.stringContaining('index.ts')])
  expect([walk.received.length > 20, refused]).toEqual([true, []])
  expect([fees[0], new Set(types)]).toEqual([7, new Set(notifiedTypes.map(platformWord))])
  expect([isWebhookList(webhooks), isJobList(jobs.body)]).toEqual([true, true])
  expect([isItem(shown.body.orders), isItem(made.body.object)]).toEqual([true, false])
})

test('generated files run unchanged on Node with type stripping', () => {
  const script = `import { parseNotification } from './payments/index.ts'; console.log(parseNotification({ message: 'x' }).ok)`

  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: shop.folder,
    encoding: 'utf8',
  })

  expect([stdout, stderr]).toEqual(['true\n', ''])
})

test('the command "generate --check" names outdated files and changes nothing', async () => {
  const flags = ['generate', '--out', 'payments', '--vocabulary', 'hookbench.config.json', '--check']
  const before = await shop.run(...flags)
  const text = readFileSync(at('payments/types.ts'), 'utf8')
  writeFileSync(at('payments/types.ts'), `${text}// mine\n`)

  const after = await shop.run(...flags)
  const printed = await shop.json(...flags)

  expect([before.code, before.stdout]).toEqual([0, 'payments is up to date\n'])
  expect([after.code, after.stdout, after.stderr]).toEqual([
    1,
    'Stale: types.ts\n',
    expect.stringMatching(/^hookbench: Cannot accept "payments": .* without --check\n$/),
  ])
  expect(printed).toEqual({ out: 'payments', lang: 'ts', stale: ['types.ts'] })
  expect(readFileSync(at('payments/types.ts'), 'utf8')).toContain('// mine')
})

test('the command "generate --json" lists its files and the vocabulary words that the document does not contain', async () => {
  writeFileSync(at('words.yaml'), 'legacy: oldpay\nextwalet: lane\n')
  const flags = ['generate', '--lang', 'openapi', '--out', 'deep/api', '--vocabulary', 'words.yaml']

  const first = await shop.json(...flags)
  const second = await shop.json(...flags)

  expect(first).toEqual({
    out: 'deep/api',
    lang: 'openapi',
    written: ['openapi.json'],
    unchanged: [],
    removed: [],
    unused_words: ['extwalet'],
  })
  expect(second).toMatchObject({ written: [], unchanged: ['openapi.json'] })
})

test.each([
  ['', /--out/],
  ['--out none --lang rust', /Allowed choices are ts, json-schema, openapi/],
  ['--out none --vocabulary gone.yaml', /Cannot read vocabulary "gone.yaml": it does not exist\. /],
  ['--out own', /Cannot write "own.index.ts": it was not generated\. /],
] as const)('"generate" exits with 2 and writes nothing for the usage error: %s', async (line, message) => {
  mkdirSync(at('own'), { recursive: true })
  writeFileSync(at('own/index.ts'), 'export {}\n')
  const before = readdirSync(at('own'))

  const { code, stdout, stderr } = await shop.run('generate', ...line.split(' ').filter(Boolean))

  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)])
  expect([existsSync(at('none')), readdirSync(at('own'))]).toEqual([false, before])
})
