import { Command } from 'commander'
import type { Reading } from '../../spec/generated/control-types.ts'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { table, wrapped } from './terminal.ts'
import { printable } from '../engine/core/printable.ts'

export function readingsCommand(): Command {
  const command = new Command('readings').description(
    "list what is chosen where the service's document is open",
  )
  return withBenchOptions(command)
    .action(async (flags: BenchFlags) => {
      const { readings } = await connect(flags)('listReadings')
      print({ readings }, shown(readings), flags)
    })
    .addCommand(setCommand())
}

/** Its options are those of the command that it belongs to. */
function setCommand(): Command {
  return new Command('set')
    .description('choose a reading, from now on and for later runs on the same data folder')
    .argument('<id>', 'its id')
    .argument('<option>', 'one of its options, a duration or a text')
    .configureHelp({ showGlobalOptions: true })
    .action(async (...[id, option, _, command]: [string, string, object, Command]) => {
      const flags: BenchFlags = command.optsWithGlobals()
      const { readings } = await connect(flags)('setReadings', { body: { [id]: option } })
      const reading = readings.find((each) => each.id === id)
      print(reading, `${id} is ${printable(reading?.value ?? option)} from now on`, flags)
    })
}

function shown(readings: readonly Reading[]): string {
  const settings = readings.filter(({ kind }) => kind !== 'shape')
  const rows = settings.map(({ id, kind, value, options }) => [
    id,
    value ?? '',
    options === null ? `a ${kind}` : Object.keys(options).join(' | '),
  ])
  const rest = readings.length - settings.length
  const abouts = settings.map(({ id, default: fallback, about }) =>
    wrapped(printable(`${about} (default: ${fallback})`), { first: `${id}: `, rest: '  ' }),
  )
  return [
    table([['READING', 'VALUE', 'OPTIONS'], ...rows.map((row) => row.map(printable))]),
    '',
    ...abouts,
    '',
    `${rest} more are shapes of the spec and cannot be chosen; --json lists them, with every option`,
  ].join('\n')
}
