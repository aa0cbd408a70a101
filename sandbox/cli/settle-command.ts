import { Command } from 'commander'
import type { Settled, Waiting } from '../../spec/generated/control-types.ts'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { EXIT } from './failure.ts'
import { defined, milliseconds } from './option-values.ts'

interface SettleFlags extends BenchFlags {
  readonly timeout?: number
}

export function settleCommand(): Command {
  const command = new Command('settle')
    .description('wait until nothing is due or under way')
    .option(
      '--timeout <duration>',
      'seconds of real time, or such as 500ms (default: 10s)',
      milliseconds('--timeout', 1_000),
    )
  command.addHelpText(
    'after',
    `
Nor may a fault hold anything back, or request_response lag behind. If it is not so by then, the exit code is 1.
What is due later is not waited for: "npx hookbench advance 25m" makes it due.`,
  )
  return withBenchOptions(command).action(async (flags: SettleFlags) => {
    const settled = await connect(flags)('settle', { body: defined({ timeout_ms: flags.timeout }) })
    print(settled, settledText(settled), flags)
    if (!settled.settled) process.exitCode = EXIT.failed
  })
}

const WAITED_FOR: { readonly [What in Waiting['what']]: readonly [one: string, many: string] } = {
  attempts: ['attempt that is due or under way', 'attempts that are due or under way'],
  posts: ['crafted delivery or test POST under way', 'crafted deliveries or test POSTs under way'],
  payment_steps: ['payment step that is due', 'payment steps that are due'],
  held_by_fault: [
    'delivery or call that a fault holds back (npx hookbench faults)',
    'deliveries or calls that a fault holds back (npx hookbench faults)',
  ],
  recording_lag: [
    'attempt that request_response does not show yet',
    'attempts that request_response does not show yet',
  ],
}

/** Whether all is at rest, and if not, what is waited for. */
export function settledText({ settled, waiting_for = [] }: Settled): string {
  if (settled) return 'Settled: nothing is due or under way'
  const lines = waiting_for.map(({ what, count }) => `  ${count} ${WAITED_FOR[what][count === 1 ? 0 : 1]}`)
  return ['Not settled, still waiting for:', ...lines].join('\n')
}
