import { Command } from 'commander'
import { MODELS } from '../../spec/generated/models.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import { connect, prettyJson, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { notified, summary } from './change-command.ts'
import { UsageError } from './failure.ts'
import { hinting } from './hinting.ts'
import { objectType } from './object-type.ts'
import { WORDS_HELP } from './words-help.ts'

export function showCommand(): Command {
  const command = new Command('show')
    .description('show an object as the service shows it')
    .argument('<type>', 'object type, such as items', objectType)
    .argument('<id>', "the object's id")
    .addHelpText('after', WORDS_HELP)
  return withBenchOptions(command).action(async (...[type, id, flags]: [string, string, BenchFlags]) => {
    const record = await hinting(connect(flags)('getObject', { path: { type, id } }))
    print(record, `${summary(record)}\n${prettyJson(record.object)}`, flags)
  })
}

export function moveCommand(): Command {
  const command = new Command('move')
    .description('move an object to a state, by the moves that the document shows')
    .argument('<type>', 'object type, such as items', objectType)
    .argument('<id>', "the object's id")
    .argument('<state>', 'the state, such as completed')
    .addHelpText(
      'after',
      `
Where the document shows how a type moves, only those moves are possible; items and users go to any listed state.`,
    )
  return withBenchOptions(command).action(
    async (...[type, id, state, flags]: [NotifiedType, string, string, BenchFlags]) => {
      refuseStateless(type, id)
      const perform = connect(flags)
      const record = await hinting(perform('moveObject', { path: { type, id }, body: { to: state } }))
      print(record, `Moved ${summary(record)}\n${await notified(record, perform)}`, flags)
    },
  )
}

function refuseStateless(type: NotifiedType, id: string): void {
  if (MODELS[type].state !== null) return
  const fields = type === 'accounts' ? 'enabled=false' : 'key=value'
  throw new UsageError(
    `Cannot move ${type}: the document shows no moves of theirs; change them with "npx hookbench change ${type} ${id} ${fields}"`,
  )
}
