import type { ObjectRecord, ObjectSummary } from '../../../spec/generated/control-types.ts'
import { LIFECYCLES } from '../../../spec/generated/lifecycles.ts'
import { formatMoney } from '../../../spec/money.ts'
import { MODELS } from '../../../spec/generated/models.ts'
import { NOTIFICATIONS } from '../../../spec/generated/notifications.ts'
import type { KindSigns } from '../../../spec/kinds.ts'
import { objectId, objectIds, objectState } from '../../../spec/models.ts'
import {
  isNotifiedType,
  kindOf,
  type NotifiedType,
  notifiedTypes,
  type ObjectByType,
} from '../../../spec/notifications.ts'
import { didYouMean } from '../../../spec/nearest.ts'
import { ApiError, notFoundError, refuseField } from '../../engine/core/api-error.ts'
import { shortJson } from '../../engine/core/short-text.ts'
import { findNotifiedGenerations } from '../../engine/notifications/triggers.ts'
import { missingParties } from '../../engine/objects/item-parties.ts'
import { newObjectDefaults, type ObjectFields } from '../../engine/objects/draws.ts'
import { changeFields, newObject } from '../../engine/objects/objects.ts'
import { nextStates } from '../../engine/objects/transitions.ts'
import { reply } from '../operations/operation.ts'
import { findParties } from '../../engine/payments/created-parties.ts'
import { manualTransition } from '../../engine/payments/manual-transition.ts'
import { followsBatch } from '../../engine/payments/take-step.ts'
import { readPastOrPresent } from './look-back.ts'
import { type ControlContext, type ControlOperation, withSeed } from './operation.ts'
import { completeObjectId } from './short-ids.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import { isObjectWrite, type ObjectWrite, type Write } from '../../engine/state/entries.ts'
import { toProblem } from '../operations/validation-problem.ts'
import { readIfWhole } from '../../engine/state/storage-error.ts'
import type { View } from '../../engine/state/view.ts'
import { parseCursor } from './cursor-pages.ts'

type AnyObject = ObjectByType[NotifiedType]

export const createObject: ControlOperation<'createObject'> = ({ path, query, body }, given) => {
  const context = withSeed(query.seed, given)
  const object_type = parseObjectType(path.type)
  const [keptBy = 'id'] = MODELS[object_type].ids
  const named = body[keptBy] ?? body['id']
  const id = typeof named === 'string' ? named : context.newId()
  refuseUnfitId(id, context)
  const defaults = newObjectDefaults(id, context)
  const example = requireValid(object_type, newObject(object_type, body, defaults), context)
  const { fields, writes } = findParties(object_type, { example, given: body }, context)
  const object = requireValid(object_type, newObject(object_type, { ...fields, ...body }, defaults), context)
  const taken = objectIds(object_type, object).find((known) => context.view.object(object_type, known))
  if (taken !== undefined) {
    const message = `Cannot create ${object_type} "${taken}": an object with this id exists`
    throw new ApiError('conflict', { field: keptBy, message })
  }
  const write: ObjectWrite = { kind: 'object', object_type, object }
  const parties = isObjectWrite(write, 'items') ? missingParties(write.object, context) : []
  return reply(201, toRecord(write, { revision: 1, before: undefined }, context), [
    ...writes.map((each) => ({ ...each, silent: true })),
    ...parties,
    write,
  ])
}

function refuseUnfitId(id: string, { validators }: ControlContext): void {
  const errors = validators['CreateUserRequest']?.findAll({ id }) ?? []
  const error = errors.find(({ instancePath }) => instancePath === '/id')
  if (error) throw new ApiError('invalid', [toProblem(error, { id }, { wording: 'control' })])
}

export const getObject: ControlOperation<'getObject'> = readPastOrPresent(({ path }, context) => {
  const object_type = parseObjectType(path.type)
  const { revision, body: object } = findObject(object_type, path.id, context)
  return reply(
    200,
    toRecord({ kind: 'object', object_type, object, silent: true }, { revision, before: object }, context),
  )
})

export const changeObject: ControlOperation<'changeObject'> = ({ path, body }, context) => {
  const object_type = parseObjectType(path.type)
  const { id, revision, body: before } = findObject(object_type, path.id, context)
  refuseFixedFields(object_type, body)
  const now = timestamp(context.now())
  const object = requireValid(
    object_type,
    object_type === 'accounts'
      ? changeAccount(before, body, context)
      : changeFields<NotifiedType>(object_type, before, { fields: body, now }),
    context,
  )
  if (object === before) {
    const same: ObjectWrite = { kind: 'object', object_type, object, silent: true }
    return reply(200, toRecord(same, { revision, before }, context))
  }
  const state = objectState(object_type, object)
  if (state !== null && state !== objectState(object_type, before)) {
    refuseFollower(object_type, id, context)
    refuseUnlistedTransition(object_type, before, state)
  }
  const owner = object_type === 'accounts' ? findOwnerAfter(id, body, context) : undefined
  const write: ObjectWrite = { kind: 'object', object_type, object, ...(owner && { owner }) }
  return reply(
    200,
    toRecord(write, { revision: revision + 1, before }, context),
    withPaymentStep(write, before, context),
  )
}

/** Allows any known state if the service's document shows no transitions. Source: §3. Reading: unshown-transitions */
export const moveObject: ControlOperation<'moveObject'> = ({ path, body }, context) => {
  const object_type = parseObjectType(path.type)
  const field = MODELS[object_type].state
  if (field === null) {
    const hint =
      object_type === 'accounts' ? 'change its "state" or "enabled" instead' : 'change its fields instead'
    const message = `Cannot move ${object_type}: objects of this type show no state`
    throw new ApiError('invalid', { field: 'to', message, hint })
  }
  const { id, body: before } = findObject(object_type, path.id, context)
  const listed = Object.keys(LIFECYCLES.objects[object_type].states)
  if (!listed.includes(body.to))
    refuseField(
      'to',
      `Cannot move ${object_type} to ${body.to}: the states of this type are ${listed.join(', ')}`,
    )
  refuseFollower(object_type, id, context)
  refuseUnlistedTransition(object_type, before, body.to)
  return changeObject({ path, query: {}, body: { [field]: body.to } }, context)
}

function withPaymentStep(write: ObjectWrite, before: AnyObject, context: ControlContext): readonly Write[] {
  const { object_type, object } = write
  const [state, id] = [objectState(object_type, object), objectId(object_type, object)]
  if (state === null || state === objectState(object_type, before)) return [write]
  const together = manualTransition({ object_type, id, state }, context) ?? []
  const others = together.filter(
    (other) =>
      other.kind !== 'object' ||
      other.object_type !== object_type ||
      objectId(object_type, other.object) !== id,
  )
  return [write, ...others]
}

export function parseObjectType(type: string): NotifiedType {
  if (isNotifiedType(type)) return type
  const message = `Cannot use object type "${type}": the types are ${notifiedTypes.join(', ')}${didYouMean(type, notifiedTypes)}`
  throw new ApiError('invalid', { code: 'unsupported_object_type', field: 'type', message })
}

export function findObject(type: NotifiedType, given: string, { view }: ControlContext) {
  const id = completeObjectId(given, view, { types: [type] })
  const object = view.object(type, id)
  if (object) return { id, ...object }
  throw notFoundError(type, id, `objects ${type}`)
}

function refuseFixedFields(type: NotifiedType, fields: ObjectFields): void {
  const fixed = [...MODELS[type].ids, 'created_at', 'updated_at'].find((field) =>
    Object.hasOwn(fields, field),
  )
  if (fixed === undefined) return
  refuseField(fixed, `Cannot change "${fixed}": the sandbox sets it`)
}

/** Changes only an account's state and `enabled`. In the body, only `updated_at` changes. Source: §2.2. Reading: account-changes */
function changeAccount(account: AnyObject, fields: ObjectFields, { view, now }: ControlContext): AnyObject {
  const stray = Object.keys(fields).find((field) => field !== 'state' && field !== 'enabled')
  if (stray !== undefined) {
    refuseField(stray, `Cannot change "${stray}" of an account: only its state and enabled status can change`)
  }
  const active = view.accountOwner(objectId<NotifiedType>('accounts', account))?.active ?? true
  const isSame = fields['state'] === undefined && (fields['enabled'] ?? active) === active
  return isSame ? account : { ...account, updated_at: timestamp(now()) }
}

/** Returns the account's owner record after the change. Only this record shows whether the account is enabled. */
function findOwnerAfter(id: string, { enabled }: ObjectFields, { view }: ControlContext) {
  const uuid = view.object('accounts', id)?.body.uuid ?? id
  const owner = view.accountOwner(uuid)
  return owner && typeof enabled === 'boolean' ? { ...owner, active: enabled } : owner
}

/** Throws ApiError for a disbursement that changes state only with its batch transaction. Reading: payout-disbursements */
function refuseFollower(type: NotifiedType, id: string, { view }: ControlContext): void {
  if (!followsBatch(type, id, view)) return
  const message = `Cannot move ${type} "${id}": the disbursement follows its batch transaction`
  const remedy = { hint: 'move the batch transaction instead, which has the same id' }
  throw new ApiError('conflict', { field: 'state', message, ...remedy })
}

/** Throws ApiError for a state change that the documented lifecycle does not contain. Source: §3 */
function refuseUnlistedTransition(type: NotifiedType, before: AnyObject, to: string): void {
  const from = objectState(type, before)
  const possible = nextStates(type, before)
  if (possible === undefined || possible.includes(to)) return
  const ways =
    possible.length === 0 ? `${from} is a final state` : `the next state is ${possible.join(' or ')}`
  throw new ApiError('conflict', {
    field: 'state',
    message: `Cannot move ${type} from ${from} to ${to}: ${ways}`,
  })
}

function requireValid(type: NotifiedType, object: AnyObject, { validators }: ControlContext): AnyObject {
  const kind = kindOf(type, object)
  if (kind === undefined) refuseUnfitKind(type, { ...object })
  const validate = validators[kind ?? MODELS[type].schema]
  if (!validate) throw new Error(`Cannot check an object of ${type}: the type has no schema`)
  const fields: ObjectFields = { ...object }
  if (validate(fields)) return object
  throw new ApiError(
    'invalid',
    (validate.errors ?? []).map((error) => toProblem(error, fields, { wording: 'control' })),
  )
}

/** Throws ApiError that lists the valid pairs of type and type_method. Source: §2.9 */
function refuseUnfitKind(object_type: NotifiedType, { type, type_method }: ObjectFields): void {
  const kinds: readonly KindSigns[] = NOTIFICATIONS[object_type].kinds
  if (kinds.length === 0) return
  const pairs = new Set(kinds.map(({ constants }) => Object.values(constants).join('/')))
  const field = kinds.some(({ constants }) => constants['type'] === type) ? 'type_method' : 'type'
  const pair = `type ${shortJson(type)} with type_method ${shortJson(type_method)}`
  const message = `Cannot use ${pair}: the valid pairs for ${object_type} are ${[...pairs].join(', ')}`
  throw new ApiError('invalid', { field, message })
}

function toRecord(
  { object_type, object, silent }: ObjectWrite,
  { revision, before }: { readonly revision: number; readonly before: AnyObject | undefined },
  { view, readings }: ControlContext,
): ObjectRecord {
  const generations =
    silent === true ? [] : findNotifiedGenerations(object_type, { before, after: object }, readings())
  const notified = generations
    .flatMap((generation) => view.enabledRegistration(generation, object_type) ?? [])
    .map(({ generation, id, url }) => ({ generation, id, url }))
  return { object_type, id: objectId(object_type, object), revision, notified, object: { ...object } }
}

/** Lists a page of objects. `limit` applies before the state filter, which must read each body. */
export const listObjects: ControlOperation<'listObjects'> = readPastOrPresent(({ path, query }, { view }) => {
  const type = parseObjectType(path.type)
  const { limit, before, id, state } = query
  const beginning = id === undefined ? undefined : [...view.objectIdsBeginning(type, id)]
  const total = beginning?.length ?? view.objectCount(type)
  const end = before === undefined ? total : Math.min(total, parseCursor(before, 'before'))
  const older = Math.max(0, end - limit)
  const ids = beginning?.slice(older, end) ?? view.objectIdsBetween(type, older, end)
  const objects = ids
    .flatMap((each) => summarize(type, each, view))
    .filter((object) => state === undefined || object.state === state)
  return reply(200, { objects, older, before: older === 0 ? null : String(older) })
})

/** Returns the summary of an object. For a damaged object, returns an empty list, so that the other objects can be listed. */
function summarize(type: NotifiedType, id: string, view: View): readonly ObjectSummary[] {
  const object = readIfWhole(() => view.object(type, id))
  if (!object) return []
  const { revision, body } = object
  return [{ object_type: type, id, revision, state: objectState(type, body), label: labelOf(body) }]
}

const NAMES = ['name', 'full_name', 'legal_name', 'account_name', 'first_name']

function labelOf(body: object): string {
  const fields = new Map<string, unknown>(Object.entries(body))
  const textOf = (field: string) => {
    const value = fields.get(field)
    return typeof value === 'string' ? value : ''
  }
  const name = NAMES.map(textOf).find((text) => text !== '') ?? ''
  const amount = fields.get('amount')
  const money = typeof amount === 'number' ? formatMoney(amount, textOf('currency')) : ''
  return [name, money].filter((text) => text !== '').join(', ')
}
