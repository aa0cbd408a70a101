import { Command } from 'commander'
import { awaitReady } from '../client/await-ready.ts'
import { serviceUrlBeside } from '../client/control-address.ts'
import { findAddress, print, withSandboxOptions, type SandboxFlags } from './sandbox-flags.ts'
import { milliseconds } from './option-values.ts'
import { withManual } from './manual.ts'
import { formatFacts } from './terminal.ts'

const DEFAULT_MS = 10_000

export function readyCommand(): Command {
  const command = withManual(new Command('ready'), {
    about: [
      'Use this command after you start a sandbox in the background, and before you start the program that needs the sandbox.',
    ],
    examples: [
      [
        'up --memory --clock manual & npx hookbench ready && npm test',
        'wait for the sandbox, then run the tests',
      ],
      ['ready --timeout 30', 'wait for at most half a minute'],
      ['ready --json', 'print the addresses as JSON, for a script'],
    ],
    exitCodes: { 0: 'it answers', 2: 'incorrect usage', 3: 'the sandbox did not answer in time' },
    seeAlso: ['up', 'down'],
  })
    .description('wait until the sandbox answers, and print its addresses')
    .option(
      '--timeout <duration>',
      'time limit in seconds, or a duration such as 500ms (default: 10s)',
      milliseconds('--timeout', 1_000),
    )
  return withSandboxOptions(command).action(async (flags: SandboxFlags & { readonly timeout?: number }) => {
    const { bench_url, health } = await awaitReady(() => findAddress(flags), flags.timeout ?? DEFAULT_MS)
    const service_url = serviceUrlBeside(bench_url, health.service_url)
    const text = formatFacts([
      ['service', service_url],
      ['bench', bench_url],
    ])
    // Prints the addresses that work on this machine.
    print({ ...health, service_url, bench_url }, text, flags)
  })
}
