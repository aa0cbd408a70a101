import { paymentKinds, paymentRows } from '../../../spec/payments.ts'
import { sendingAddresses } from '../../../spec/delivery.ts'
import { objectIds, objectState } from '../../../spec/models.ts'
import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import { readingValues } from '../../../spec/readings.ts'
import type { Desk, Incoming, Receive, Reply } from './scripted-receiver.ts'

export type Fields = Readonly<Record<string, unknown>>

/** A receiver that fetches the object from the service, acts once, and never returns to an earlier state. */
export const careful: Receive = async (request, desk) => {
  const refusal = refusalOf(request)
  if (refusal) return refusal
  const body = readObject(request.body)
  if (!body) return { status: 400 }
  if (typeof body['message'] === 'string' && Object.keys(body).length === 1) return { status: 200 }
  const named = subjectOf(body)
  if (!named || named.type !== request.type) return { status: 400 }
  const { type, id } = named
  if (!isSafe(id)) return { status: 400 }

  const { status, object } = await show(desk, type, `/${type}/${encodeURIComponent(id)}`)
  if (status === 404) return { status: 200 }
  if (!object) return { status: 503 }
  take(desk, { type, id, object })
  return { status: 200 }
}

/** Fetches the object from the service. The object is undefined if the response is not successful. */
export async function show(
  { call }: Pick<Desk, 'call'>,
  type: NotifiedType,
  path: string,
): Promise<{ readonly status: number; readonly object: Fields | undefined }> {
  const { status, body } = await call(path)
  const whole = status === 200 ? readObject(body) : undefined
  return { status, object: type === 'virtual_accounts' ? whole : toFields(whole?.[type]) }
}

function refusalOf({ method, headers, type, from, generation }: Incoming): Reply | undefined {
  if (type === undefined) return { status: 404 }
  if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
  if (from !== undefined && !sendingAddresses(generation, readingValues()).includes(from))
    return { status: 403 }
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return { status: 415 }
  return undefined
}

export function readObject(text: string): Fields | undefined {
  try {
    return toFields(JSON.parse(text))
  } catch {
    return undefined
  }
}

export function toFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

export function subjectOf(body: Fields): { readonly type: NotifiedType; readonly id: string } | undefined {
  if (body['event'] === 'status_updated' && typeof body['id'] === 'string')
    return { type: 'virtual_accounts', id: body['id'] }
  const type = notifiedTypes.find((each) => each in body)
  const id = type && toFields(body[type])?.['id']
  if (type === undefined || (typeof id !== 'string' && typeof id !== 'number')) return undefined
  return { type, id: String(id) }
}

function isSafe(id: string): boolean {
  return id !== '' && id !== '.' && id !== '..' && id.length < 1_000
}

interface Taken {
  readonly type: NotifiedType
  readonly id: string
  readonly object: Fields
}

export function take({ ledger }: Pick<Desk, 'ledger'>, { type, id, object }: Taken): void {
  const ids = [id, ...objectIds(type, object as never)]
  const before = ids.map((each) => ledger.get(`${type} ${each}`)).find((found) => found)
  const current = objectState(type, object as never)
  const isFinal = type !== 'items' && FINAL.has(before?.state ?? '')
  const state = isFinal || !isKnownState(type, current) ? (before?.state ?? null) : current
  const effects = Math.max(before?.effects ?? 0, Number(isDue(type, object)))
  const { amount, currency, user_id, account_id } = object
  const money = { amount, currency, user_id, account_id }
  for (const each of ids)
    ledger.set(`${type} ${each}`, { effects, state, ...(effects > 0 && (money as object)) })
}

export const FINAL: ReadonlySet<string> = new Set([
  'successful',
  'invalid_account_details',
  'failed_direct_debit',
  'cancelled',
  'active',
  'activation_failed',
])

const STATES: Partial<Record<NotifiedType, RegExp>> = {
  batch_transactions:
    /^(batched|bank_processing|successful|invalid_account_details|failed_direct_debit|bpay_pending)$/,
  transactions: /^successful$/,
  disbursements: /^(bank_processing|successful|cancelled)$/,
  virtual_accounts: /^(pending_activation|active|activation_failed)$/,
}

function isKnownState(type: NotifiedType, state: string | null): boolean {
  return state === null || (STATES[type]?.test(state) ?? true)
}

export function isDue(type: NotifiedType, object: Fields): boolean {
  return paymentKinds
    .map((kind) => paymentRows[kind].consequence)
    .some(
      (consequence) =>
        consequence.object === type &&
        objectState(type, object as never) === consequence.state &&
        (consequence.type === undefined ||
          (consequence.type === object['type'] && consequence.type_method === object['type_method'])),
    )
}
