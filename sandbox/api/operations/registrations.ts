import type { PageMeta } from '../../../spec/generated/service-types.ts'
import { GENERATION_NOUNS, isSuccess } from '../../../spec/delivery.ts'
import { ApiError, type Problem, refuseField } from '../../engine/core/api-error.ts'
import type { Exchange } from '../../engine/core/ports.ts'
import { performInEpoch, reply, type Context, type Decision } from './operation.ts'
import type { CallbackRegistration, Registration, WebhookRegistration } from '../../engine/state/entries.ts'

/** Returns the URL unchanged, because the platform later searches for it. Throws ApiError for a forbidden URL. Source: §8 */
export function checkReceiverUrl(raw: string, { egress }: Pick<Context, 'egress'>): string {
  const target = egress.judgeUrl(raw)
  if (target.kind === 'refused') refuseField('url', target.refusal.message)
  return raw
}

type Slot = Pick<Registration, 'generation' | 'object_type' | 'enabled'> & Partial<Pick<Registration, 'id'>>

/** Throws if the object type already has an enabled registration. Source: §8. Reading: one-per-generation */
function refuseSecond({ generation, object_type, enabled, id }: Slot, { view }: Pick<Context, 'view'>): void {
  const taken = enabled ? view.enabledRegistration(generation, object_type) : undefined
  if (!taken || taken.id === id) return
  throw new ApiError('conflict', {
    field: 'object_type',
    message: `${GENERATION_NOUNS[generation]} "${taken.id}" is already enabled for ${object_type}; disable, change or delete it first`,
  })
}

/** Sends the test POST, and continues only if the receiver has accepted it. Source: §1, §4, §7 */
function afterTestPost<Body>(
  { generation, url }: Pick<Registration, 'generation' | 'url'>,
  decide: (status: number) => Decision<Body>,
): Decision<Body> {
  return performInEpoch(
    (actions) => actions.testPost(url, generation),
    (exchange) => decide(requireSuccess(url, exchange)),
  )
}

interface Created {
  readonly id: string
  readonly created_at: number
  readonly updated_at: number
}

type NewRegistration = Omit<WebhookRegistration, keyof Created> | Omit<CallbackRegistration, keyof Created>

/** Creates a registration if the receiver accepts the test POST. Source: §1, §4 */
export function createRegistration<Wanted extends NewRegistration, Body>(
  wanted: Wanted,
  toReply: (registration: Wanted & Created, testStatus: number) => Body,
  context: Context,
): Decision<Body> {
  refuseSecond(wanted, context)
  return afterTestPost(wanted, (testStatus) => {
    refuseSecond(wanted, context)
    const now = context.now()
    const registration = { ...wanted, id: context.newId(), created_at: now, updated_at: now }
    return reply(201, toReply(registration, testStatus), [{ kind: 'registration', registration }])
  })
}

interface RegistrationUpdate<Kind extends Registration, Body> {
  readonly find: () => Kind
  readonly change: (registration: Kind) => Kind
  readonly toReply: (registration: Kind) => Body
}

/** Updates a registration. Sends the test POST only if the URL changes. Enabling a registration sends no test POST. Reading: re-test */
export function updateRegistration<Kind extends Registration, Body>(
  { find, change, toReply }: RegistrationUpdate<Kind, Body>,
  context: Context,
): Decision<Body> {
  const decide = (): Decision<Body> => {
    const before = find()
    const after = change(before)
    refuseSecond(after, context)
    // Reading: no-op-update
    if (JSON.stringify(after) === JSON.stringify(before)) return reply(200, toReply(before))
    const registration = { ...after, updated_at: Math.max(context.now(), before.updated_at + 1) }
    return reply(200, toReply(registration), [{ kind: 'registration', registration }])
  }
  const before = find()
  const after = change(before)
  if (new URL(after.url).href === new URL(before.url).href) return decide()
  refuseSecond(after, context)
  return afterTestPost(after, decide)
}

function requireSuccess(url: string, { outcome }: Exchange): number {
  if (outcome.kind === 'answered' && isSuccess(outcome.status)) return outcome.status
  const problem: Problem =
    outcome.kind === 'answered'
      ? {
          field: 'url',
          message: `the test POST to ${url} was answered ${outcome.status}; it must be answered 200 to 299`,
        }
      : { field: 'url', message: `the test POST to ${url} failed (${outcome.reason}): ${outcome.message}` }
  throw new ApiError('invalid', problem)
}

/** Returns the page of a list that starts at an offset and has at most `limit` rows. Reading: lists */
export function pageByOffset<Row>(
  rows: readonly Row[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): { readonly page: readonly Row[]; readonly meta: PageMeta } {
  return { page: rows.slice(offset, offset + limit), meta: { limit, offset, total: rows.length } }
}
