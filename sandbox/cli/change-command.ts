import { Command } from 'commander'
import type { ObjectRecord } from '../../spec/generated/control-types.ts'
import { printable } from '../printable.ts'
import { benchOf, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { FIELDS_HELP, fieldsOf } from './fields.ts'

export function createCommand(): Command {
  const command = new Command('create')
    .description('create an object; what you leave out is filled in')
    .argument('<type>', 'object type, such as items')
    .argument('[fields...]', 'key=value or key:=json …')
    .addHelpText('after', FIELDS_HELP)
  return withBenchOptions(command).action(async (type: string, pairs: string[], flags: BenchFlags) => {
    const record = await benchOf(flags).create(type, fieldsOf(type, pairs))
    print(record, `Created ${summary(record)}${notified(record)}`, flags)
  })
}

export function changeCommand(): Command {
  const command = new Command('change')
    .description('change an object; what depends on a changed field follows it')
    .argument('<type>', 'object type, such as items')
    .argument('<id>', "the object's id")
    .argument('<fields...>', 'key=value or key:=json …')
    .addHelpText('after', FIELDS_HELP)
  return withBenchOptions(command).action(
    async (...given: [type: string, id: string, pairs: string[], flags: BenchFlags]) => {
      const [type, id, pairs, flags] = given
      const bench = benchOf(flags)
      const record = await bench.change(type, id, fieldsOf(type, pairs))
      print(record, `Changed ${summary(record)}${notified(record)}`, flags)
    },
  )
}

/** An object in one line. */
export function summary({ object_type, id, revision, object }: ObjectRecord): string {
  const state = typeof object['state'] === 'string' ? `, ${object['state']}` : ''
  return printable(`${object_type} ${id} (revision ${revision}${state})`)
}

/** Who was notified, each in a line of its own that begins with a line break. */
export function notified({ object_type, notified: registrations }: ObjectRecord): string {
  if (registrations.length > 0) {
    return registrations
      .map(({ generation, url }) => `\n  notifies ${printable(url)} (${generation})`)
      .join('')
  }
  return `\n  nobody was notified: nothing changed, or nobody is registered (npx hookbench register URL --type ${object_type})`
}
