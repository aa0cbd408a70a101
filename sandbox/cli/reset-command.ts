import { Command } from 'commander'
import { benchOf, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { clockText } from './clock-command.ts'

export function resetCommand(): Command {
  const command = new Command('reset')
    .description('begin again: no objects, registrations, jobs or faults, and the clock where it began')
    .summary('begin again, as after a first start')
  return withBenchOptions(command).action(async (flags: BenchFlags) => {
    const clock = await benchOf(flags).reset()
    print(clock, `Everything is as after a first start. ${clockText(clock)}`, flags)
  })
}
