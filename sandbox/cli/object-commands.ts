import type { Command } from 'commander'
import type { ObjectRecord } from '../../spec/generated/control-types.ts'
import { MODELS } from '../../spec/generated/models.ts'
import { isNotifiedType, type NotifiedType } from '../../spec/notifications.ts'
import { commandLine } from '../engine/core/command-line.ts'
import type { Perform } from '../compose/perform.ts'
import { toPrintable } from '../engine/core/short-text.ts'
import { argument, controlCommand, type ControlCommand } from './control-command.ts'
import { UsageError } from './failure.ts'
import type { Lists } from './manual.ts'
import { atOption, pastQuery, type PastFlags } from './listing.ts'
import { typeArgument } from './option-values.ts'
import { prettyJson, type SandboxFlags } from './sandbox-flags.ts'

export interface ObjectFlags extends SandboxFlags {
  readonly type: NotifiedType
  readonly id: string
}

interface FieldFlags {
  readonly fields: readonly string[]
}

const FIELD_LISTS: Lists = {
  Fields: [
    ['key=value', 'text for a text field; for other fields a number, true, false, null or text'],
    ['key:=json', 'a JSON value, such as \'related:={"buyers":"…"}\' or \'name:="null"\''],
  ],
}

const VOCABULARY =
  'The setting "vocabulary" changes words only in the calls and notifications of the service. Commands always use the neutral words of the service document.'

const idArgument = () => argument('<id>', 'the id of the object')

export function objectCommands(): Command[] {
  return [createCommand(), showCommand(), changeCommand(), moveCommand()]
}

function createCommand(): Command {
  return controlCommand({
    name: 'create',
    description: 'create an object, with defaults for omitted fields',
    about: ['The service notifies each registration of the type.', VOCABULARY],
    lists: FIELD_LISTS,
    examples: [
      ['create items amount=1200', 'create an item of 12.00, with defaults for the other fields'],
      ['create items name="Framed photograph" amount=12500', 'create an item with a name of several words'],
      ['create users email=buyer@example.com --json', 'print the created object as JSON, for a script'],
    ],
    seeAlso: ['change', 'objects', 'play'],
    arguments: [typeArgument(), argument('[fields...]', 'key=value or key:=json …')],
    call: async (perform, { type: name, fields }: Omit<ObjectFlags, 'id'> & FieldFlags) =>
      perform('createObject', { path: { type: name }, body: await readFields(name, fields) }),
    text: changeText('Created'),
  })
}

function showCommand(): Command {
  return controlCommand({
    name: 'show',
    description: 'show an object as the service shows it',
    about: [VOCABULARY],
    examples: [
      ['show items ITEM', 'show the current object'],
      ['show items ITEM --at 2026-01-01T07:05:00.000Z', 'show the object at a past time'],
      ['show items ITEM --json', 'print the object with its revision, for a script'],
    ],
    seeAlso: ['describe', 'objects', 'change'],
    arguments: [typeArgument(), idArgument()],
    options: [atOption()],
    call: (perform, flags: ObjectFlags & PastFlags) =>
      perform('getObject', { path: { type: flags.type, id: flags.id }, query: pastQuery(flags) }),
    text: (record) => `${summary(record)}\n${prettyJson(record.object)}`,
  })
}

function changeCommand(): Command {
  return controlCommand({
    name: 'change',
    description: 'change an object, and the fields that depend on the change',
    about: ['If no value changes, the service sends no notification.', VOCABULARY],
    lists: FIELD_LISTS,
    examples: [
      ['change items ITEM amount=1500', 'change the amount, and notify the registrations for items'],
      ["change items ITEM 'description:=null'", 'set a JSON value'],
    ],
    seeAlso: ['move', 'create', 'show'],
    arguments: [typeArgument(), idArgument(), argument('<fields...>', 'key=value or key:=json …')],
    call: async (perform, { type: name, id: of, fields }: ObjectFlags & FieldFlags) =>
      perform('changeObject', { path: { type: name, id: of }, body: await readFields(name, fields) }),
    text: changeText('Changed'),
  })
}

function moveCommand(): Command {
  return controlCommand({
    name: 'move',
    description: 'move an object to a state, by a documented transition',
    summary: 'move an object to a state',
    about: [
      'If the document shows transitions for a type, its objects can make only these transitions. Items and users can move to any listed state. "describe" lists the next states of an object.',
    ],
    examples: [
      ['move items ITEM completed', ''],
      ['move users USER approved', ''],
    ],
    seeAlso: ['describe', 'change', 'play'],
    arguments: [typeArgument(), idArgument(), argument('<state>', 'the state, such as completed')],
    call: (perform, flags: ObjectFlags & { readonly state: string }) => {
      const { type: name, id: of, state } = flags
      if (MODELS[name].state === null) refuseMove(flags)
      return perform('moveObject', { path: { type: name, id: of }, body: { to: state } })
    },
    text: changeText('Moved'),
  })
}

/** Reads the fields of an object. Loads the schemas only if the command line has fields. */
async function readFields(type: NotifiedType, pairs: readonly string[]): Promise<Record<string, unknown>> {
  const { parseFields } = await import('./fields.ts')
  return parseFields(type, pairs)
}

function refuseMove({ type, id, ...target }: ObjectFlags): never {
  const change = `change ${type} ${id} ${type === 'accounts' ? 'enabled=false' : 'key=value'}`
  throw new UsageError(
    `Cannot move ${type}: the document shows no transitions for this type. Change the object with "${commandLine(change, target)}"`,
  )
}

function summary({ object_type, id, revision, object }: ObjectRecord): string {
  const field = isNotifiedType(object_type) ? MODELS[object_type].state : null
  const value = field === null ? undefined : object[field]
  const state = typeof value === 'string' ? `, ${value}` : ''
  return toPrintable(`${object_type} ${id} (revision ${revision}${state})`)
}

function changeText(done: string): ControlCommand<SandboxFlags, ObjectRecord>['text'] {
  return async (record, flags, perform) => {
    const notified =
      record.notified.length === 0
        ? [`  no notification: ${await whyNobody(record, perform, flags)}`]
        : record.notified.map(({ generation, url }) => `  notifies ${toPrintable(url)} (${generation})`)
    return [`${done} ${summary(record)}`, ...notified].join('\n')
  }
}

async function whyNobody({ object_type, revision }: ObjectRecord, perform: Perform, flags: SandboxFlags) {
  // Source: §2.2
  if (object_type === 'virtual_accounts')
    return 'the service sends a notification of a virtual account only when its activation ends'
  const { registrations } = await perform('listRegistrations')
  const isRegistered = registrations.some((each) => each.enabled && each.object_type === object_type)
  if (!isRegistered) return `no registration (${commandLine(`register URL --type ${object_type}`, flags)})`
  return revision === 1
    ? 'the service sends no notification when an object is created in this state'
    : 'no field of the notification has changed'
}
