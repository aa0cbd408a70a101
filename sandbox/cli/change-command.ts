import { Command } from 'commander'
import type { ObjectRecord } from '../../spec/generated/control-types.ts'
import type { Perform } from '../compose/perform.ts'
import { MODELS } from '../../spec/generated/models.ts'
import { isNotifiedType } from '../../spec/notifications.ts'
import { printable } from '../engine/core/printable.ts'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { FIELDS_HELP, fieldsOf } from './fields.ts'
import { hinting } from './hinting.ts'
import { objectType } from './object-type.ts'
import { WORDS_HELP } from './words-help.ts'

export function createCommand(): Command {
  const command = new Command('create')
    .description('create an object; what you leave out is filled in')
    .argument('<type>', 'object type, such as items', objectType)
    .argument('[fields...]', 'key=value or key:=json …')
    .addHelpText('after', `${FIELDS_HELP}\n${WORDS_HELP}`)
  return withBenchOptions(command).action(async (type: string, pairs: string[], flags: BenchFlags) => {
    const perform = connect(flags)
    const record = await perform('createObject', { path: { type }, body: fieldsOf(type, pairs) })
    print(record, `Created ${summary(record)}\n${await notified(record, perform)}`, flags)
  })
}

export function changeCommand(): Command {
  const command = new Command('change')
    .description('change an object; what depends on a changed field follows it')
    .argument('<type>', 'object type, such as items', objectType)
    .argument('<id>', "the object's id")
    .argument('<fields...>', 'key=value or key:=json …')
    .addHelpText('after', `${FIELDS_HELP}\n${WORDS_HELP}`)
  return withBenchOptions(command).action(
    async (...given: [type: string, id: string, pairs: string[], flags: BenchFlags]) => {
      const [type, id, pairs, flags] = given
      const perform = connect(flags)
      const record = await hinting(
        perform('changeObject', { path: { type, id }, body: fieldsOf(type, pairs) }),
      )
      print(record, `Changed ${summary(record)}\n${await notified(record, perform)}`, flags)
    },
  )
}

/** An object in one line. */
export function summary({ object_type, id, revision, object }: ObjectRecord): string {
  const field = isNotifiedType(object_type) ? MODELS[object_type].state : null
  const value = field === null ? undefined : object[field]
  const state = typeof value === 'string' ? `, ${value}` : ''
  return printable(`${object_type} ${id} (revision ${revision}${state})`)
}

/** Who was notified, each in a line of its own, or why nobody was. */
export async function notified(record: ObjectRecord, perform: Perform): Promise<string> {
  if (record.notified.length === 0) return `  nobody was notified: ${await silence(record, perform)}`
  return record.notified
    .map(({ generation, url }) => `  notifies ${printable(url)} (${generation})`)
    .join('\n')
}

async function silence({ object_type, revision }: ObjectRecord, perform: Perform): Promise<string> {
  // Source: §2.2
  if (object_type === 'virtual_accounts')
    return 'of virtual accounts, only the end of their activation is notified'
  const { registrations } = await perform('listRegistrations')
  const isHeard = registrations.some((each) => each.enabled && each.object_type === object_type)
  if (!isHeard) return `nobody is registered (npx hookbench register URL --type ${object_type})`
  return revision === 1 ? 'its creation in this state is not notified' : 'nothing changed that is notified'
}
