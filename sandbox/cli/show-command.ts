import { Command } from 'commander'
import { benchOf, prettyJson, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { notified, summary } from './change-command.ts'

export function showCommand(): Command {
  const command = new Command('show')
    .description('show an object as the service shows it')
    .argument('<type>', 'object type, such as items')
    .argument('<id>', "the object's id")
  return withBenchOptions(command).action(async (...[type, id, flags]: [string, string, BenchFlags]) => {
    const record = await benchOf(flags).show(type, id)
    print(record, `${summary(record)}\n${prettyJson(record.object)}`, flags)
  })
}

export function moveCommand(): Command {
  const command = new Command('move')
    .description('move an object to a state, by the moves that the service has')
    .argument('<type>', 'object type, such as items')
    .argument('<id>', "the object's id")
    .argument('<state>', 'the state, such as completed')
    .addHelpText(
      'after',
      `
A move that the service does not have is refused; "npx hookbench change TYPE ID state=STATE" asks nobody.`,
    )
  return withBenchOptions(command).action(
    async (...[type, id, state, flags]: [string, string, string, BenchFlags]) => {
      const record = await benchOf(flags).move(type, id, state)
      print(record, `Moved ${summary(record)}${notified(record)}`, flags)
    },
  )
}
