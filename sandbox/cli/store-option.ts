import type { Command } from 'commander'
import type { ConfigFile } from '../../spec/generated/config-types.ts'
import { parseHost } from '../adapters/host-names.ts'
import { UsageError } from './failure.ts'
import { milliseconds } from './option-values.ts'

export type StoreOptions = NonNullable<ReturnType<typeof resolveStore>>

export interface StoreFlags {
  readonly store?: string
  readonly lease?: number
  readonly advertise?: string
  readonly memory?: boolean
}

export function withStoreOption(command: Command) {
  return command
    .option(
      '--store <url>',
      'keep the worlds in PostgreSQL for a standby, as postgres://user@host/database (password in HOOKBENCH_STORE or PGPASSWORD)',
    )
    .option(
      '--lease <duration>',
      'take over after this time without a sign of life, with --store (default: 5s)',
      milliseconds('--lease', 1_000),
    )
    .option('--advertise <host>', 'the name or name:port by which others reach this process')
}

/** Returns undefined if the data folder has the store. Throws UsageError with the remedy. */
export function resolveStore(flags: StoreFlags, config: ConfigFile) {
  const url = flags.store ?? (process.env['HOOKBENCH_STORE'] || undefined) ?? config.store
  const { lease: leaseMs = 5_000, advertise } = flags
  if (url === undefined) return undefined
  if (flags.memory ?? config.memory ?? false)
    throw new UsageError('Cannot keep the worlds in memory and in PostgreSQL: leave out --memory or --store')
  // A busy machine loses a shorter lease.
  if (leaseMs < 1_000) throw new UsageError(`Cannot use --lease ${leaseMs}ms: it takes at least 1s`)
  if (advertise !== undefined && parseHost(advertise) === undefined)
    throw new UsageError(
      `Cannot advertise "${advertise}": give a name or an address, such as hookbench-a.internal or 10.0.0.5:4011`,
    )
  return { url, leaseMs, advertise }
}
