import { hostname } from 'node:os'
import { Option, type Command } from 'commander'
import type { ConfigFile } from '../../spec/generated/config-types.ts'
import { UsageError } from './failure.ts'
import { milliseconds } from './option-values.ts'

/** Where the worlds are that several sandboxes share, and which of them this one is. */
export interface NodeOptions {
  readonly store: string
  readonly node: string
  readonly leaseMs: number
}

export interface NodeFlags {
  readonly store?: string
  readonly node?: string
  readonly lease?: number
  readonly memory?: boolean
}

const LEASE_MS = 10_000
/** Shorter, a world would change hands whenever a machine is busy. */
const SHORTEST_MS = 1_000

export function withNodeOptions(command: Command) {
  return command
    .addOption(
      new Option(
        '--store <url>',
        'keep the worlds in PostgreSQL, postgres://user@host/database?schema=hookbench, for any number of nodes; a password goes into HOOKBENCH_STORE or PGPASSWORD',
      ),
    )
    .option(
      '--node <name>',
      'with --store: what the other nodes know this one by (default: the name of the host)',
    )
    .option(
      '--lease <duration>',
      'with --store: how long a world stays with this node once nothing is heard of it, seconds or such as 500ms (default: 10s)',
      milliseconds('--lease', 1_000),
    )
}

/** Undefined where the data folder has the worlds. Throws UsageError with the remedy. */
export function resolveNodes(flags: NodeFlags, config: ConfigFile): NodeOptions | undefined {
  const store = flags.store ?? (process.env['HOOKBENCH_STORE'] || undefined) ?? config.store
  const node = flags.node ?? config.node
  if (store === undefined) {
    const given = flags.node === undefined ? flags.lease !== undefined && '--lease' : '--node'
    if (given === false) return undefined
    throw new UsageError(
      `Cannot use ${given} without --store: it is for several sandboxes on one PostgreSQL; add --store postgres://…, or leave it out`,
    )
  }
  if (flags.memory ?? config.memory ?? false)
    throw new UsageError('Cannot keep the worlds in memory and in PostgreSQL: leave out --memory or --store')
  const leaseMs = flags.lease ?? LEASE_MS
  if (leaseMs < SHORTEST_MS)
    throw new UsageError(`Cannot use --lease ${leaseMs}ms: it takes at least ${SHORTEST_MS / 1_000}s`)
  return { store, node: requireName(node ?? hostname().toLowerCase().slice(0, 40)), leaseMs }
}

const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/

function requireName(name: string): string {
  if (NAME.test(name)) return name
  throw new UsageError(
    `Cannot use node name "${name}": it takes small letters, digits, ".", "_" and "-"; give another with --node`,
  )
}
