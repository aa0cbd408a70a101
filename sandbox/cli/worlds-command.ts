import type { Command } from 'commander'
import type { World, WorldDetail } from '../../spec/generated/control-types.ts'
import { DEFAULT_WORLD } from '../../spec/world-name.ts'
import { findCaCertificate } from '../adapters/data-folder.ts'
import { serviceUrlBeside } from '../client/control-address.ts'
import type { Perform } from '../compose/perform.ts'
import { commandLine, quoteForShell } from '../engine/core/command-line.ts'
import { toPrintable } from '../engine/core/short-text.ts'
import { argument, controlCommand, controlSubcommand, option } from './control-command.ts'
import { formatTable } from './listing.ts'
import { findAddress, parseWorldName, type SandboxFlags } from './sandbox-flags.ts'
import { addFilledWorld, openSnapshot } from './fill-world.ts'
import {
  type BeginningFlags,
  beginningOptions,
  freshCredentialOptions,
  type NewWorldFlags,
  parseNewName,
  ttlOption,
  worldBeginning,
} from './world-options.ts'

interface WorldFlags extends SandboxFlags {
  readonly name: string
}

interface AddFlags extends WorldFlags, NewWorldFlags, BeginningFlags {
  readonly from?: string
  readonly replace?: boolean
}

const OPENS =
  'A shell can source the output. The output has the service address and credentials for your platform, and the bench address and a token for the commands. The token gives access only to this world. Use the token of the data folder to add, copy or remove worlds.'

export function worldsCommand(): Command {
  return controlCommand({
    name: 'worlds',
    description:
      'list the worlds of the sandbox, which have separate objects, registrations, jobs, clocks, faults and credentials',
    summary: 'list, add, copy and remove the worlds of the sandbox',
    about: [
      'A team can share a sandbox, with a world for each developer, branch and CI job. The credentials of a service call select its world. The world for a bench call comes from --world, HOOKBENCH_WORLD or the token, and defaults to "default".',
      'The sandbox closes an idle world, and opens the world again at the next call or due time. The column ENDS shows the removal time of the world.',
      'With the token of a world, the command lists only this world.',
    ],
    examples: [
      ['worlds', 'list the worlds with their removal times'],
      ['worlds --json', 'for a script'],
      ['worlds add anna && npx hookbench jobs --world anna', 'add a world, and list its jobs'],
    ],
    seeAlso: ['worlds add', 'worlds copy', 'up'],
    isOfWholeSandbox: true,
    call: (perform) => perform('listWorlds'),
    text: ({ worlds }, flags) => formatWorlds(worlds, flags),
    subcommands: [addCommand(), copyCommand(), showCommand(), removeCommand()],
  })
}

function addCommand(): Command {
  return controlSubcommand({
    name: 'add',
    description: 'add a world, empty or from a snapshot, and print its addresses and credentials',
    about: [
      OPENS,
      'A client id belongs to one world, and so does an e-mail address with its API token. The sandbox generates omitted credentials. With --from, the world has the clock and the readings of the snapshot. If the snapshot is rejected, or you press Ctrl-C, no world is created.',
    ],
    examples: [
      ['worlds add anna', 'add an empty world that is never removed'],
      ['worlds add pull-417 --ttl 7d --from template.jsonl', 'add a world from a snapshot, for a week'],
      [
        'worlds add nightly --seed 7 --clock manual --json',
        'add a world with the same ids and times each night',
      ],
      [
        'worlds add shop --client-id shop --client-secret SECRET',
        'add a world with the credentials of your platform',
      ],
    ],
    seeAlso: ['worlds', 'worlds copy', 'worlds remove', 'snapshot save'],
    arguments: [argument('<name>', 'the name of the world, such as "anna" or "pull-417"', parseNewName)],
    options: [
      ...beginningOptions(),
      ttlOption(),
      option('--replace', 'first remove an existing world of this name'),
      ...freshCredentialOptions(),
    ],
    call: addWorld,
    text: formatAccess,
  })
}

async function addWorld(perform: Perform, flags: AddFlags): Promise<ReachableWorld> {
  const { name, from } = flags
  // Opens the snapshot file first, so that an unreadable file is reported before the world is created.
  const pieces = from === undefined ? undefined : await openSnapshot(from)
  const request = { name, ...worldBeginning(flags) }
  if (flags.replace === true) await removeIfThere(name, perform)
  if (from === undefined || !pieces)
    return withAddresses(await perform('addWorld', { body: request }), perform, flags)
  await addFilledWorld({ request, from, pieces }, perform, flags)
  return withAddresses(await perform('getWorld', { path: { name } }), perform, flags)
}

async function removeIfThere(name: string, perform: Perform): Promise<void> {
  const { worlds } = await perform('listWorlds')
  if (worlds.some((world) => world.name === name)) await perform('removeWorld', { path: { name } })
}

function copyCommand(): Command {
  return controlSubcommand({
    name: 'copy',
    description: 'add a copy of a world, and print its addresses and credentials',
    about: [
      'The copy has the same content as a snapshot of the world, with new credentials and a new token.',
      OPENS,
    ],
    examples: [
      ['worlds copy default anna', 'copy the current world for another person'],
      ['worlds copy template pull-417 --ttl 2d', 'copy a template for a branch'],
    ],
    seeAlso: ['worlds', 'worlds add', 'snapshot save'],
    arguments: [
      argument('<source>', 'the world to copy', parseWorldName),
      argument('<name>', 'the name of the copy', parseNewName),
    ],
    options: [ttlOption(), ...freshCredentialOptions()],
    call: async (perform, flags: WorldFlags & NewWorldFlags & { readonly source: string }) => {
      const { source, name } = flags
      const world = await perform('copyWorld', {
        path: { name: source },
        body: { name, ...worldBeginning(flags) },
      })
      return withAddresses(world, perform, flags)
    },
    text: formatAccess,
  })
}

function showCommand(): Command {
  return controlSubcommand({
    name: 'show',
    description: 'print the addresses, credentials and control token of a world',
    about: [OPENS],
    examples: [
      ['worlds show anna', ''],
      ['worlds show anna > anna.env', 'write the variables to a file, for "source anna.env" in any shell'],
      ['worlds show anna --json', 'for a script'],
    ],
    seeAlso: ['worlds', 'worlds add'],
    arguments: [argument('<name>', 'its name', parseWorldName)],
    call: async (perform, flags: WorldFlags) =>
      withAddresses(await perform('getWorld', { path: { name: flags.name } }), perform, flags),
    text: formatAccess,
  })
}

function removeCommand(): Command {
  return controlSubcommand({
    name: 'remove',
    description: 'remove a world with its contents',
    about: ['The sandbox stops all jobs of the world. The credentials and tokens of the world stop working.'],
    examples: [
      ['worlds remove pull-417', ''],
      ['worlds remove pull-417 --json', 'print the removed world as JSON, for a script'],
    ],
    seeAlso: ['worlds', 'reset', 'down'],
    arguments: [argument('<name>', 'its name', parseWorldName)],
    call: (perform, { name }: WorldFlags) => perform('removeWorld', { path: { name } }),
    text: ({ name }) => `Removed world "${name}" with its contents`,
  })
}

async function withAddresses(
  world: WorldDetail,
  perform: Perform,
  flags: SandboxFlags,
): Promise<ReachableWorld> {
  const { url: bench_url } = findAddress(flags)
  const { service_url: named } = await perform('getHealth')
  const service_url = serviceUrlBeside(bench_url, named)
  const isElsewhere = service_url !== named
  const others = { public_service_url: named, public_bench_url: toOtherName(bench_url, named) }
  return { ...world, service_url, bench_url, ...(isElsewhere && others) }
}

function toOtherName(url: string, other: string): string {
  const named = new URL(url)
  named.hostname = new URL(other).hostname
  return named.origin
}

function formatWorlds(worlds: readonly World[], flags: SandboxFlags): string {
  const headings = ['WORLD', 'STATE', 'CLIENT ID', 'E-MAIL', 'CREATED', 'ENDS']
  const rows = worlds.map(({ name, open, client_id, email, created_at, expires_at }) => [
    name,
    open ? 'open' : 'closed',
    client_id,
    email,
    created_at,
    expires_at ?? '',
  ])
  const isAlone = worlds.length === 1 && worlds[0]?.name === DEFAULT_WORLD
  const next = isAlone ? [`Add one with "${toPrintable(commandLine('worlds add NAME', flags))}"`] : []
  return [formatTable(headings, rows), ...next].join('\n')
}

export interface ReachableWorld extends WorldDetail {
  readonly service_url: string
  readonly bench_url: string
  /** The address of the service API for other machines. Undefined if this address equals `service_url`. */
  readonly public_service_url?: string
  readonly public_bench_url?: string
}

export function formatAccess(world: ReachableWorld, flags: SandboxFlags): string {
  const { name, expires_at, access } = world
  const {
    public_service_url: service_url = world.service_url,
    public_bench_url: bench_url = world.bench_url,
  } = world
  const caFile =
    bench_url.startsWith('https:') || service_url.startsWith('https:')
      ? (process.env['HOOKBENCH_CA'] ?? findCaCertificate({ path: flags.data }))
      : undefined
  const lines = [
    `# World "${name}"${expires_at === null ? '' : `, which is removed at ${expires_at}`}`,
    '',
    '# For your platform, instead of the address and the credentials of the service',
    ...formatExports({
      HOOKBENCH_SERVICE_URL: service_url,
      HOOKBENCH_CLIENT_ID: access.client_id,
      HOOKBENCH_CLIENT_SECRET: access.client_secret,
      HOOKBENCH_EMAIL: access.email,
      HOOKBENCH_API_TOKEN: access.api_token,
    }),
    '',
    '# For the commands of Hookbench, with a token that opens this world only',
    ...formatExports({
      HOOKBENCH_URL: bench_url,
      HOOKBENCH_WORLD: name,
      HOOKBENCH_TOKEN: access.control_token,
      ...(caFile !== undefined && { HOOKBENCH_CA: caFile }),
    }),
    ...formatLocalUrls(world),
  ]
  return lines.map(toPrintable).join('\n')
}

function formatLocalUrls({ service_url, bench_url, public_bench_url }: ReachableWorld): readonly string[] {
  if (public_bench_url === undefined) return []
  return [
    '',
    '# On other machines, HOOKBENCH_CA is a copy of that file. On the machine of the sandbox, you can also use',
    `# export HOOKBENCH_SERVICE_URL=${quoteForShell(service_url)}`,
    `# export HOOKBENCH_URL=${quoteForShell(bench_url)}`,
  ]
}

function formatExports(variables: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(variables).map(([name, value]) => `export ${name}=${quoteForShell(value)}`)
}
