import { Option, type Command } from 'commander'
import type { ConfigFile } from '../../spec/generated/config-types.ts'
import { UsageError } from './failure.ts'

export interface StoreFlags {
  readonly store?: string
}

export function withStoreOption(command: Command) {
  return command.addOption(
    new Option('--store <url>', 'keep the worlds in PostgreSQL (not available in this version)'),
  )
}

/** Throws UsageError if a database is named: this version keeps its worlds in the data folder. */
export function refuseStore(flags: StoreFlags, config: ConfigFile): void {
  const store = flags.store ?? (process.env['HOOKBENCH_STORE'] || undefined) ?? config.store
  if (store === undefined) return
  throw new UsageError(
    'Cannot keep the worlds in PostgreSQL: this version keeps them in the data folder; leave out --store, HOOKBENCH_STORE and store in the configuration',
  )
}
