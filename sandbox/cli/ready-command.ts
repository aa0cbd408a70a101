import { Command } from 'commander'
import { awaitReady } from '../client/await-ready.ts'
import { serviceUrlBeside } from '../client/control-address.ts'
import { findAddress, print, withSandboxOptions, type SandboxFlags } from './sandbox-flags.ts'
import { milliseconds } from './option-values.ts'
import { formatFacts } from './facts.ts'

interface ReadyFlags extends SandboxFlags {
  readonly timeout?: number
}

const DEFAULT_MS = 10_000

export function readyCommand(): Command {
  const command = new Command('ready')
    .description('wait until the sandbox answers, and print where')
    .option(
      '--timeout <duration>',
      'seconds, or such as 500ms (default: 10s)',
      milliseconds('--timeout', 1_000),
    )
  return withSandboxOptions(command).action(async (flags: ReadyFlags) => {
    const find = () => findAddress(flags)
    const { bench_url, health } = await awaitReady(find, flags.timeout ?? DEFAULT_MS)
    const { version, clock } = health
    const service_url = serviceUrlBeside(bench_url, health.service_url)
    const text = formatFacts([
      ['service', service_url],
      ['bench', bench_url],
    ])
    print({ status: 'ready', service_url, bench_url, version, clock }, text, flags)
  })
}
