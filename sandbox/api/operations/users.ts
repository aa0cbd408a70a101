import type { CreateUserRequest, UpdateUserRequest, User } from '../../../spec/generated/service-types.ts'
import { refuseField } from '../../engine/core/api-error.ts'
import { newObjectDefaults, type ObjectFields } from '../../engine/objects/draws.ts'
import { changeFields, newObject } from '../../engine/objects/objects.ts'
import { findObject, reply, type Context, type Operation } from './operation.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import { newAccount } from '../../engine/objects/accounts.ts'

/** Creates a user with a wallet. Reading: platform-operations */
export const createUser: Operation<'createUser'> = ({ body }, context) => {
  const id = body.id ?? context.newId()
  if (context.view.object('users', id)) refuseField('id', 'has already been taken')
  const users = newObject('users', { ...UNKNOWN, ...toUserFields(body), id }, newObjectDefaults(id, context))
  return reply(201, { users }, [
    { kind: 'object', object_type: 'users', object: users },
    newAccount({ user_id: id, account_kind: 'wallet' }, context).write,
  ])
}

export const updateUser: Operation<'updateUser'> = ({ path, body }, context) =>
  changeUser(path.id, toUserFields(body), context)

export const verifyUser: Operation<'verifyUser'> = ({ path }, context) =>
  changeUser(path.id, { verification_state: 'approved' }, context)

function changeUser(id: string, fields: ObjectFields, context: Context) {
  const before = findObject('users', id, context)
  const users = changeFields('users', before, { fields, now: timestamp(context.now()) })
  return reply(
    200,
    { users },
    users === before ? [] : [{ kind: 'object', object_type: 'users', object: users }],
  )
}

/** The text that replaces the date of birth in replies. Source: §2.6 */
const HIDDEN = 'encrypted'

function toUserFields({ country, dob, ...rest }: CreateUserRequest | UpdateUserRequest): ObjectFields {
  const given = Object.entries(rest).filter(([name]) => WRITABLE.has(name))
  return {
    ...Object.fromEntries(given),
    ...(country === undefined ? {} : { location: country }),
    ...(dob === undefined ? {} : { dob: HIDDEN }),
  }
}

const WRITABLE: ReadonlySet<string> = new Set([
  'first_name',
  'last_name',
  'email',
  'mobile',
  'phone',
  'custom_descriptor',
  'government_number',
  'drivers_license',
])

const UNKNOWN: Partial<User> = {
  mobile: null,
  phone: null,
  logo_url: null,
  color_1: null,
  color_2: null,
  custom_descriptor: '',
  verification_state: 'pending',
  held_state: false,
  roles: ['customer'],
  dob: HIDDEN,
  government_number: null,
  drivers_license: null,
  flags: {},
  related: { addresses: null, payout_account: null },
}
