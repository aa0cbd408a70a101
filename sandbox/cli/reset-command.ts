import { Command } from 'commander'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { clockText } from './clock-command.ts'

export function resetCommand(): Command {
  const command = new Command('reset')
    .description(
      'begin again: forget objects, registrations, jobs, payments, calls, faults, secrets and the readings chosen at run time, and set the clock as it was at the start',
    )
    .summary('begin again, as after a first start')
  return withBenchOptions(command).action(async (flags: BenchFlags) => {
    const clock = await connect(flags)('resetSandbox')
    print(clock, `Everything is as after a first start. ${clockText(clock)}`, flags)
  })
}
