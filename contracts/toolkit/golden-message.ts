import { EXAMPLES, type Example } from '../../spec/generated/examples.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import type { CheckContext, Message } from './check-context.ts'
import { objectInBody, toJsonObject, type JsonObject } from './messages.ts'
import { typesWithUrl } from './unobserved.ts'

export const NULLS: readonly Example[] = EXAMPLES.filter(({ name }) => name.endsWith('-nulls'))

const KIND_FIELDS = ['type', 'type_method', 'state', 'npp_payout_state', 'verification_state'] as const

/** The names of the usual examples, one for each type. The usual examples have nearly every field and serve as controls. */
const PLAIN: ReadonlySet<string> = new Set([
  'items-completed',
  'users-approved',
  'batch-transactions-disbursement-direct-credit-successful',
  'accounts-wallet',
  'transactions-deposit-npp-payin-by-pay-id',
  'disbursements-successful',
  'companies',
  'virtual-accounts-status-updated',
])

/** One example notification for each combination of object type, kind and state. */
export const GOLDEN: readonly Example[] = EXAMPLES.filter(({ name }) => !name.endsWith('-nulls')).filter(
  (example, _, all) => {
    const same = all.filter((other) => exampleKind(other) === exampleKind(example))
    return example === (same.find(({ name }) => PLAIN.has(name)) ?? same[0])
  },
)

function exampleKind({ type, body }: Example): string {
  const object = objectInBody(body, type)
  return [type, ...KIND_FIELDS.map((field) => object[field])].join(' ')
}

export function fullestExample(example: Example): Example {
  const kind = ({ type, body }: Example) => {
    const object = objectInBody(body, type)
    return [type, object['type'], object['type_method']].join(' ')
  }
  const [fullest = example] = EXAMPLES.filter((other) => kind(other) === kind(example)).toSorted(
    (a, b) => countNulls(a.body) - countNulls(b.body),
  )
  return fullest
}

function countNulls(value: unknown): number {
  if (typeof value !== 'object') return 0
  return value === null ? 1 : Object.values(value).reduce<number>((sum, child) => sum + countNulls(child), 0)
}

export function examplesNamed(names: readonly string[]): readonly Example[] {
  return EXAMPLES.filter(({ name }) => names.includes(name))
}

export function oneExamplePerType(types: readonly NotifiedType[]): readonly Example[] {
  return types.flatMap((type) => GOLDEN.filter((example) => example.type === type && PLAIN.has(example.name)))
}

/** Creates an object of each type for which the receiver has a URL. Returns the notifications of these objects. */
export async function createMessages(
  context: CheckContext,
  types: readonly NotifiedType[] = context.receiver.types(),
): Promise<readonly Message[]> {
  return Array.fromAsync(typesWithUrl(context, types), (type) => context.service.create(type))
}

export function goldenMessages(
  context: CheckContext,
  examples: readonly Example[],
): Promise<readonly Message[]> {
  return Array.fromAsync(examples, (example) => goldenMessage(context, example))
}

/** Creates a copy of the example object in the service, with new ids and times. Returns the message about this object. */
export async function goldenMessage(context: CheckContext, example: Example): Promise<Message> {
  const message = await messageLike(context, example)
  return GOLDEN.includes(example) ? { ...message, usualBody: message.body } : message
}

async function messageLike(context: CheckContext, { name, type, body }: Example): Promise<Message> {
  const { service } = context
  if (type === 'virtual_accounts') {
    // The notification of a virtual account contains only a few fields, without a wrapper. Source: §6.3
    const { id } = await service.create(type, { status: 'active' })
    const golden = String(toJsonObject(body)['id'])
    return { type, id, state: null, label: name, body: JSON.stringify(body).replaceAll(golden, id) }
  }
  const golden = objectInBody(body, type)
  const { created_at: _, updated_at: __, ...fields } = toJsonObject(withFreshIds(golden, context))
  return { ...(await service.create(type, fields)), label: name }
}

function withFreshIds(object: JsonObject, { service }: Pick<CheckContext, 'service'>): unknown {
  const { id, uuid } = object
  const texts = [id, uuid].filter((each) => typeof each === 'string')
  const fresh = texts.reduce((text, each) => text.replaceAll(each, service.newId()), JSON.stringify(object))
  if (typeof id !== 'number') return JSON.parse(fresh)
  const number = freshNumber({ service })
  return { ...toJsonObject(JSON.parse(fresh.replaceAll(`/${id}`, `/${number}`))), id: number }
}

const FIRST_NUMBER = 9_000_000
/** The largest number that a database column of four bytes can store. */
const LAST_NUMBER = 2 ** 31 - 1

/** Draws the number of an account. Numbers that the service draws are smaller, so no account has the same number. */
export function freshNumber({ service }: Pick<CheckContext, 'service'>): number {
  return FIRST_NUMBER + (Number.parseInt(service.newId().slice(-12), 16) % (LAST_NUMBER - FIRST_NUMBER))
}
