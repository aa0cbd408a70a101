import { Command } from 'commander'
import { UsageError } from './failure.ts'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'

export function advanceCommand(): Command {
  const command = new Command('advance')
    .description("move the sandbox's clock forward, with every attempt that falls due on the way")
    .summary('move the clock forward, with every attempt on the way')
    // Or a duration below zero would be taken for an option.
    .allowUnknownOption()
    .argument('<by>', 'a duration such as 25m or 1h45m, or an instant such as 2026-01-02T00:00:00.000Z')
  return withBenchOptions(command).action(async (by: string, flags: BenchFlags) => {
    refuseBackwards(by)
    const advanced = await connect(flags)('advanceClock', { body: /^\d{4}-/.test(by) ? { to: by } : { by } })
    const { now, attempts } = advanced
    print(
      advanced,
      `The clock shows ${now}; ${attempts} ${attempts === 1 ? 'attempt was' : 'attempts were'} made`,
      flags,
    )
  })
}

function refuseBackwards(by: string): void {
  if (!by.startsWith('-')) return
  const state = /^-\d/.test(by) ? 'the clock never goes back' : 'there is no such option'
  throw new UsageError(`Cannot advance by "${by}": ${state}; give a duration such as 25m, or an instant`)
}
