import { expect, test } from 'vitest'
import { LIFECYCLES } from '../../spec/generated/lifecycles.ts'
import { NOTIFICATIONS } from '../../spec/generated/notifications.ts'
import { kindOf } from '../../spec/kinds.ts'
import { isNotifiedType, notifiedTypes, type NotifiedType } from '../../spec/notifications.ts'
import { parseNotification } from '../../spec/parse-notification.ts'
import { callbackTypes } from '../../spec/delivery.ts'
import { DELIVERY } from '../../spec/generated/delivery.ts'
import { paymentForms, paymentKinds, paymentOutcomes } from '../../spec/payments.ts'
import { testSandbox, type TestSandbox } from '../support/test-sandbox.ts'

interface SentBody {
  readonly type: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Plays all payments and makes all changes to all objects. */
async function sendEverything(readings: Readonly<Record<string, string>>): Promise<SentBody[]> {
  const sandbox = testSandbox({ readings })
  const list = readings['callback-list'] === 'earlier' ? 'earlier' : 'current'
  const types = { webhooks: DELIVERY.object_types.webhooks.value, callbacks: callbackTypes(list) }
  for (const [generation, each] of Object.entries(types)) {
    for (const object_type of each)
      await demand(
        sandbox.call('POST', `/${generation}`, { url: urlOf(generation, object_type), object_type }),
      )
  }
  await playAll(sandbox)
  await changeAll(sandbox)
  await sandbox.idle()
  if (sandbox.errors.length > 0) throw new Error(JSON.stringify(sandbox.errors.map(String)))
  return sandbox.transport.messages.map(({ url, body }) => ({
    type: new URL(url).pathname.split('/')[2] ?? '',
    body: JSON.parse(Buffer.from(body).toString()),
  }))
}

const urlOf = (generation: string, type: string) => `https://localhost:9443/${generation}/${type}`

async function demand(answer: ReturnType<TestSandbox['call']>) {
  const { status, body } = await answer
  if (status > 299) throw new Error(`Cannot go on: ${status} ${JSON.stringify(body)}`)
  return body
}

async function playAll(sandbox: TestSandbox): Promise<void> {
  for (const kind of paymentKinds) {
    for (const outcome of paymentOutcomes(kind)) {
      const forms = paymentForms(kind)
      for (const via of forms.length > 0 ? forms : [undefined])
        await demand(sandbox.control('POST', '/payments', { kind, outcome, ...(via && { via }) }))
    }
  }
}

/** Changes objects of every type and kind. Items, users and virtual accounts get every state that a change can set. */
async function changeAll(sandbox: TestSandbox): Promise<void> {
  const create = (type: string, fields: object) => demand(sandbox.control('POST', `/objects/${type}`, fields))
  const change = (type: string, id: string, fields: object) =>
    demand(sandbox.control('PATCH', `/objects/${type}/${id}`, fields))
  for (const type of ['transactions', 'batch_transactions'] as const) {
    for (const { constants } of NOTIFICATIONS[type].kinds) await create(type, constants)
  }
  const item = await create('items', {})
  for (const state of Object.keys(LIFECYCLES.objects.items.states)) await change('items', item.id, { state })
  const user = await create('users', {})
  for (const verification_state of Object.keys(LIFECYCLES.objects.users.states))
    await change('users', user.id, { verification_state, held_state: true })
  const company = await create('companies', {})
  await change('companies', company.id, { phone: null, tax_number: '12 345' })
  for (const account_type_id of [9100, 9200, 9700]) {
    const { id } = await create('accounts', { account_type_id })
    await change('accounts', id, { enabled: false })
  }
  for (const status of ['active', 'activation_failed'])
    await change('virtual_accounts', (await create('virtual_accounts', {})).id, { status })
}

// With the current and the earlier callback list, strict validation must accept exactly the sent bodies.
const EDITIONS = [
  { 'accompanying-notifications': 'all' },
  { 'accompanying-notifications': 'all', 'callback-list': 'earlier' },
]
const sent = (await Promise.all(EDITIONS.map((readings) => sendEverything(readings)))).flat()

const isTest = ({ body }: SentBody) => Object.hasOwn(body, 'message')

type Fields = Readonly<Record<string, unknown>>

const objectIn = ({ type, body }: SentBody): Fields => Object(body[type] ?? body)

function nameState(type: NotifiedType, object: Fields): string {
  const kind = kindOf(type, object) ?? NOTIFICATIONS[type].object
  const state = object['state'] ?? object['verification_state'] ?? object['event']
  return [kind, state, object['npp_payout_state']].filter((part) => typeof part === 'string').join(' ')
}

test('the strict parser accepts every sent body with the type of its URL', () => {
  const wrong = sent.flatMap((each) => {
    const parsed = parseNotification(each.body)
    const expected = isTest(each) ? 'test' : each.type
    return parsed.ok && parsed.type === expected ? [] : [[expected, parsed.ok ? parsed.type : parsed.errors]]
  })

  expect(wrong).toEqual([])
  expect(sent.length).toBeGreaterThan(200)
})

test('the tests send every kind of notification in every state', () => {
  const named = new Set(
    sent.flatMap((each) =>
      isNotifiedType(each.type) && !isTest(each) ? [nameState(each.type, objectIn(each))] : [],
    ),
  )

  const { items, users } = LIFECYCLES.objects
  const expected = [
    ...notifiedTypes.flatMap((type) =>
      NOTIFICATIONS[type].kinds.flatMap(({ schema, states }) => states.map((state) => `${schema} ${state}`)),
    ),
    ...Object.keys(items.states).map((state) => `Item ${state}`),
    ...Object.keys(users.states).map((state) => `User ${state}`),
    'Disbursement bank_processing trying',
    'Disbursement successful successful',
    'Disbursement cancelled failed',
    'Account',
    'Company',
    'VirtualAccount status_updated',
  ]
  expect([...named].toSorted()).toEqual(expected.toSorted())
})
