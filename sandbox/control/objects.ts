import type { ObjectRecord } from '../../spec/generated/control-types.ts'
import type { Item } from '../../spec/generated/service-types.ts'
import { ApiError } from '../http/api-error.ts'
import { problemOf } from '../http/read-input.ts'
import { changedItem, newItem, type ItemFields } from '../objects/items.ts'
import { reply, timestamp } from '../operations/operation.ts'
import type { ControlContext, ControlOperation } from './operation.ts'

export const createObject: ControlOperation<'createObject'> = ({ path, body }, context) => {
  const object_type = knownType(path.type)
  const id = typeof body['id'] === 'string' ? body['id'] : context.newId()
  if (context.view.object(object_type, id)) {
    throw new ApiError('conflict', {
      field: 'id',
      message: `Cannot create ${object_type} "${id}": it exists`,
    })
  }
  const now = timestamp(context.now())
  const object = checked(newItem(body, { id, now, newId: context.newId }), context)
  return reply(201, record({ object_type, object, revision: 1, changed: true }, context), [
    { kind: 'object', object_type, object },
  ])
}

export const getObject: ControlOperation<'getObject'> = ({ path }, context) => {
  const object_type = knownType(path.type)
  const { revision, body: object } = found(object_type, path.id, context)
  return reply(200, record({ object_type, object, revision, changed: false }, context))
}

export const changeObject: ControlOperation<'changeObject'> = ({ path, body }, context) => {
  const object_type = knownType(path.type)
  const { revision, body: before } = found(object_type, path.id, context)
  refuseFixed(body)
  const object = checked(changedItem(before, body, timestamp(context.now())), context)
  if (object === before) return reply(200, record({ object_type, object, revision, changed: false }, context))
  return reply(200, record({ object_type, object, revision: revision + 1, changed: true }, context), [
    { kind: 'object', object_type, object },
  ])
}

/** The types that the bench can make so far. */
const MAKEABLE = ['items'] as const

type MakeableType = (typeof MAKEABLE)[number]

function knownType(type: string): MakeableType {
  const known = MAKEABLE.find((name) => name === type)
  if (known) return known
  const message = `Cannot use object type "${type}": the bench makes ${MAKEABLE.join(', ')}`
  throw new ApiError('invalid', { code: 'unsupported_object_type', field: 'type', message })
}

function found(type: MakeableType, id: string, { view }: ControlContext) {
  const object = view.object(type, id)
  if (!object) throw new ApiError('not-found', { field: 'id', message: `Cannot find ${type} "${id}"` })
  return object
}

/** What identifies an object, and when it changed, is not for a change to say. */
function refuseFixed(fields: ItemFields): void {
  const fixed = ['id', 'created_at', 'updated_at'].find((field) => Object.hasOwn(fields, field))
  if (fixed === undefined) return
  throw new ApiError('invalid', { field: fixed, message: `Cannot change "${fixed}": the sandbox sets it` })
}

/** The object, if it is one by the spec; otherwise the field that is wrong. */
function checked(object: Item, { validators }: ControlContext): Item {
  const validate = validators.items
  if (validate(object)) return object
  throw new ApiError(
    'invalid',
    (validate.errors ?? []).map((error) => problemOf(error, { ...(object as object) })),
  )
}

interface Recorded {
  readonly object_type: MakeableType
  readonly object: Item
  readonly revision: number
  readonly changed: boolean
}

function record(
  { object_type, object, revision, changed }: Recorded,
  { view }: ControlContext,
): ObjectRecord {
  const registrations = changed
    ? (['webhooks', 'callbacks'] as const).flatMap(
        (generation) => view.enabledRegistration(generation, object_type) ?? [],
      )
    : []
  const notified = registrations.map(({ generation, id, url }) => ({ generation, id, url }))
  return { object_type, id: object.id, revision, notified, object: { ...object } }
}
