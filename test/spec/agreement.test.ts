import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { array, constantFrom, integer, sample, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { platformFiles } from '../../generators/platform/platform-files.ts'
import { notificationsOf } from '../../spec/arbitraries.ts'
import { readBundled } from '../../spec/document.ts'
import { EXAMPLES } from '../../spec/generated/examples.ts'
import { EARLIER_NOTIFICATIONS, NOTIFICATIONS } from '../../spec/generated/notifications.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import { parseNotification } from '../../spec/parse-notification.ts'
import { generatedModule } from '../support/generated-module.ts'
import { keepSeed, regressionSeeds } from '../proofs/results.ts'
import { newObject } from '../../sandbox/engine/objects/objects.ts'
import { testSeed } from '../support/test-seed.ts'

const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((node, key) => Reflect.get(Object(node), key), value)

/**
 * Returns true if a body's values are consistent. JSON Schema cannot express this. `links.self` is null or `/<type>/<id>`. A body
 * without a wrapper has the `link` `/virtual_accounts/<id>`. The first related transaction of a card pay-in is the pay-in itself,
 * with a card account. Source: §2.3, §6.2, §6.3
 */
function agreesWithItself(body: unknown): boolean {
  const [[type, object] = ['', undefined], ...others] = Object.entries<unknown>(Object(body))
  if (others.length > 0) return at(body, 'link') === `/virtual_accounts/${String(at(body, 'id'))}`
  const [id, self] = [at(object, 'id'), at(object, 'links', 'self')]
  const entry = at(object, 'related', 'transactions', '0')
  const isCard = type === 'transactions' && at(object, 'type_method') === 'credit_card'
  const isOwn = at(entry, 'id') === id && at(entry, 'account_type') === 'card_account'
  return (self === null || self === undefined || self === `/${type}/${String(id)}`) && (!isCard || isOwn)
}

// Compares the parser with the JSON Schemas of `hookbench generate --lang json-schema`, validated by ajv. The strict parser also
// requires that the values of a body are consistent.

const BODIES = 10_000
const MAX_CHANGES = 3

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
const files = await platformFiles(readBundled(), { language: 'json-schema' })
const generated = await generatedModule(await platformFiles(readBundled(), { language: 'ts' }))

function compileFile(path: string): ValidateFunction {
  const file = files.find((each) => each.path === path)
  if (!file) throw new Error(`Cannot compare: there is no ${path}`)
  return ajv.compile(JSON.parse(file.text))
}

const fileName = (schema: string) => schema.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()

function judgeOf({ edition, folder }: { readonly edition: string; readonly folder: string }, name: string) {
  const bySchema = compileFile(`${folder}${name}.schema.json`)
  return (body: unknown) => bySchema(body) && (edition === 'tolerant' || agreesWithItself(body))
}

const rows: Readonly<Record<string, { readonly schema: string }>> = {
  ...NOTIFICATIONS,
  ...EARLIER_NOTIFICATIONS,
}
const bodyTypes = Object.keys(rows)
const EDITIONS = (
  [
    { edition: 'strict', folder: '' },
    { edition: 'tolerant', folder: 'tolerant/' },
  ] as const
).map((edition) => ({
  ...edition,
  whole: judgeOf(edition, 'notification'),
  isTest: compileFile(`${edition.folder}test-message.schema.json`),
  byType: Object.fromEntries(
    bodyTypes.map((type) => [type, judgeOf(edition, fileName(rows[type]?.schema ?? ''))]),
  ),
}))

const TEXTS = [
  'x 12 -5 1.5 /items/x /virtual_accounts/x items virtual_accounts disbursement direct_credit bpay npp_payin',
  'successful failed bank_processing 3f9c1d2a-b47e-4051-86d2-0a94e7b1358f 2026-01-01T00:00:00.000Z',
].flatMap((words) => words.split(' '))
const OTHERS = [0, -1, 1.5, 22_500, 12_000, 1e21, [], [null], [{}], {}, { id: 'x' }]
const VALUES: readonly unknown[] = [null, true, '', ...TEXTS, 'Grüße 🎉', ...OTHERS]
const KEYS = 'id uuid type state name link message payin_details unheard_of __proto__ constructor'.split(' ')

const VIRTUAL_ACCOUNT = '3f9c1d2a-b47e-4051-86d2-0a94e7b1358f'
const NOW = '2026-01-01T00:00:00.000Z'

/** Source: the reading `callback-list` */
const BANK_ACCOUNT = {
  bank_accounts: {
    id: '3f9c1d2a-b47e-4051-86d2-0a94e7b1358f',
    active: true,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    currency: 'AUD',
    verification_status: 'not_verified',
    bank: {
      bank_name: 'Bank',
      country: 'AUS',
      account_name: 'Neve Byrne',
      routing_number: 'XXXXX1',
      account_number: 'XXX234',
      holder_type: 'personal',
      account_type: 'checking',
    },
    links: { self: '/bank_accounts/3f9c1d2a-b47e-4051-86d2-0a94e7b1358f', users: null },
  },
}

interface Change {
  readonly depth: number
  readonly turn: number
  readonly act: 'set' | 'drop' | 'add' | 'copy'
  readonly value: number
  readonly key: number
}

function changeOnce(body: unknown, { depth, turn, act, value, key }: Change): unknown {
  if (typeof body !== 'object' || body === null || Object.keys(body).length === 0) return VALUES[value]
  const keys = Object.keys(body)
  const name = keys[turn % keys.length] ?? ''
  if (depth > 0)
    return withField(
      body,
      name,
      changeOnce(Reflect.get(body, name), { depth: depth - 1, turn: turn * 7 + 3, act, value, key }),
    )
  const other = keys[(turn + 1) % keys.length] ?? ''
  if (act === 'drop') return withoutField(body, name)
  if (act === 'add') return withField(body, [...KEYS, ...bodyTypes][key] ?? '', VALUES[value])
  return withField(body, name, act === 'copy' ? Reflect.get(body, other) : VALUES[value])
}

/** Builds the object from text, so that `__proto__` becomes a normal key. */
function withField(body: object, name: string, value: unknown): unknown {
  if (Array.isArray(body)) return body.map((each: unknown, index) => (String(index) === name ? value : each))
  const entries = Object.entries(body).map(([key, child]) => [key, key === name ? value : child] as const)
  const added = Object.hasOwn(body, name) ? [] : [[name, value] as const]
  const text = [...entries, ...added].map(([key, child]) => `${JSON.stringify(key)}:${JSON.stringify(child)}`)
  return JSON.parse(`{${text.join(',')}}`)
}

function withoutField(body: object, name: string): unknown {
  if (Array.isArray(body)) return body.filter((_, index) => String(index) !== name)
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))
}

const changes = array(
  tuple(
    integer({ min: 0, max: 4 }),
    integer({ min: 0, max: 200 }),
    constantFrom('set', 'drop', 'add', 'copy'),
    integer({ min: 0, max: VALUES.length - 1 }),
    integer({ min: 0, max: KEYS.length + bodyTypes.length - 1 }),
  ).map(([depth, turn, act, value, key]): Change => ({ depth, turn, act, value, key })),
  { minLength: 0, maxLength: MAX_CHANGES },
)

/** Returns example bodies and random bodies of all types, each with up to three changes. */
function drawBodies(seed: number): unknown[] {
  const drawn = notifiedTypes.flatMap((type) =>
    sample<unknown>(notificationsOf(type), { numRuns: 100, seed }),
  )
  const originals: readonly unknown[] = [
    ...EXAMPLES.map(({ body }) => body),
    ...drawn,
    { message: 'x' },
    BANK_ACCOUNT,
  ]
  return sample(changes, { numRuns: BODIES, seed }).map((each, index) =>
    each.reduce<unknown>(changeOnce, originals[index % originals.length]),
  )
}

const bodies = [...regressionSeeds('agreement'), testSeed].flatMap((seed) =>
  drawBodies(seed).map((body) => ({
    seed,
    body,
    strict: parseNotification(body),
    tolerant: parseNotification(body, { tolerant: true }),
  })),
)

test.each(EDITIONS)('the $edition parser and the JSON Schema agree on 10,000 bodies', (tried) => {
  const disagreed = bodies.filter(
    (each) => each[tried.edition].ok !== (tried.whole(each.body) || tried.isTest(each.body)),
  )
  const taken = bodies.filter((each) => each[tried.edition].ok)

  expectNone(disagreed)
  expect(bodies.length % BODIES).toBe(0)
  // The test needs many valid bodies and many invalid bodies.
  const share = taken.length / bodies.length
  expect([share > 0.1, share < 0.9]).toEqual([true, true])
})

test.each(EDITIONS)('the $edition JSON Schema of a notification accepts a bank account', ({ whole }) => {
  expect(whole(BANK_ACCOUNT)).toBe(true)
})

test.each(EDITIONS)('the $edition virtual account schema accepts a Show response', ({ edition, folder }) => {
  const takes = compileFile(`${folder}virtual-account.schema.json`)
  const account = newObject(
    'virtual_accounts',
    {},
    { id: VIRTUAL_ACCOUNT, number: () => 1, now: NOW, newId: () => '' },
  )

  expect(takes(account)).toBe(true)
  expect(takes({ id: VIRTUAL_ACCOUNT, status: 'closed', balance: 7 })).toBe(edition === 'tolerant')
  expect(takes({ ...account, id: undefined })).toBe(false)
})

test.each(EDITIONS)('the $edition parser returns only a type whose JSON Schema accepts the body', (tried) => {
  const disagreed = bodies.filter((each) => {
    const parsed = each[tried.edition]
    const takenAs = bodyTypes.filter((type) => tried.byType[type]?.(each.body))
    if (!parsed.ok) return takenAs.length > 0
    return parsed.type === 'test' ? !tried.isTest(each.body) : !takenAs.includes(parsed.type)
  })

  expectNone(disagreed)
})

test('the parser that a platform generates agrees with the parser in the package', () => {
  const disagreed = bodies.filter(({ body, strict, tolerant }) => {
    const theirs = [generated.parseNotification(body), generated.parseNotification(body, { tolerant: true })]
    return JSON.stringify(theirs) !== JSON.stringify([strict, tolerant])
  })

  expectNone(disagreed)
})

test('the tolerant parser returns the same type as the strict parser for strict bodies', () => {
  const lost = bodies.filter(
    ({ strict, tolerant }) => strict.ok && !(tolerant.ok && tolerant.type === strict.type),
  )

  expectNone(lost)
})

/** Fails the test if the list is not empty. Prints the first bodies and saves the seeds of all bodies. */
function expectNone(wrong: typeof bodies): void {
  for (const seed of new Set(wrong.map((each) => each.seed))) keepSeed('agreement', seed)
  expect(wrong.slice(0, 3)).toEqual([])
}
