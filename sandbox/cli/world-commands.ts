import { resolve } from 'node:path'
import { Argument, type Command } from 'commander'
import type { Clock, Reading } from '../../spec/generated/control-types.ts'
import { readings } from '../../spec/readings.ts'
import { DEFAULT_WORLD } from '../../spec/world-name.ts'
import { claim, findHolder, pathsInFolder } from '../adapters/data-folder.ts'
import { toPrintable } from '../engine/core/short-text.ts'
import { clockText } from './clock-commands.ts'
import { argument, controlCommand, controlSubcommand } from './control-command.ts'
import type { SandboxFlags } from './sandbox-flags.ts'
import { formatTable } from './listing.ts'
import { withChoices } from './option-values.ts'
import { wrap } from './terminal.ts'

/** The readings that a user can set. Excludes readings of the kind `shape`, which have only one option. */
const CHOOSABLE = readings.filter(({ kind }) => kind !== 'shape').map(({ id }) => id)

export function worldCommands(): Command[] {
  return [readingsCommand(), resetCommand()]
}

function readingsCommand(): Command {
  return controlCommand({
    name: 'readings',
    description: 'list the readings, with their chosen options',
    about: [
      'If the document leaves a behaviour open, choose a reading, and test your receiver with each option.',
    ],
    examples: [
      ['readings', 'list the chosen options and the other options'],
      ['readings set retry-body current', 'send retries with the current state of the object'],
      ['readings --json', 'print the readings as JSON, as the spec defines them'],
    ],
    seeAlso: ['readings set', 'describe', 'up'],
    call: (perform) => perform('listReadings'),
    text: (list) => formatReadings(list.readings),
    subcommands: [
      controlSubcommand({
        name: 'set',
        description: 'choose a reading, from now on and for later runs on the same data folder',
        examples: [
          ['readings set retry-window five-attempts', 'choose a listed option'],
          ['readings set job-recording-lag 2s', 'a duration'],
        ],
        seeAlso: ['readings', 'up'],
        arguments: [
          withChoices(new Argument('<id>', 'the reading'), CHOOSABLE),
          argument('<option>', 'a listed option, a duration or a text'),
        ],
        call: (perform, { id, option }: SandboxFlags & Readonly<Record<'id' | 'option', string>>) =>
          perform('setReadings', { body: { [id]: option } }),
        text: ({ readings: all }, { id, option }) =>
          `${id} is ${toPrintable(all.find((each) => each.id === id)?.value ?? option)} from now on`,
      }),
    ],
  })
}

function resetCommand(): Command {
  return controlCommand({
    name: 'reset',
    description:
      'remove objects, registrations, jobs, payments, chosen outcomes, calls, faults, secrets and readings chosen at run time, and restore the clock settings',
    summary: 'reset the world, as after a first start',
    about: [
      'The data folder keeps its CA, its token and its addresses.',
      'If no sandbox runs and version 0.1.0 wrote the store, the command removes the store.',
    ],
    examples: [
      ['reset', 'reset the world between two tests'],
      ['reset --json', 'print the clock after the reset, for a script'],
    ],
    seeAlso: ['snapshot', 'down'],
    call: async (perform, flags: SandboxFlags): Promise<Clock | { readonly removed: string }> =>
      (await removeStoreOfOldVersion(flags)) ?? perform('resetSandbox'),
    text: (reply, given) =>
      'removed' in reply
        ? `Removed the store of version 0.1.0, "${toPrintable(reply.removed)}". The next start begins with an empty store`
        : `The world is reset, as after a first start. ${clockText(reply, given)}`,
  })
}

async function removeStoreOfOldVersion({ data, world = DEFAULT_WORLD }: SandboxFlags) {
  const path = resolve(data)
  const { storePath } = pathsInFolder(path)
  const isForAnother = process.env['HOOKBENCH_URL'] !== undefined || world !== DEFAULT_WORLD
  if (isForAnother || findHolder(path)) return undefined
  const { isOldStore, removeOldStore } = await import('../adapters/sqlite/database.ts')
  if (!isOldStore(storePath)) return undefined
  const release = claim({ path })
  try {
    removeOldStore(storePath)
  } finally {
    release()
  }
  return { removed: storePath }
}

function formatReadings(listed: readonly Reading[]): string {
  const settings = listed.filter(({ kind }) => kind !== 'shape')
  const rows = settings.map(({ id, kind, value, options }) => [
    id,
    value ?? '',
    options === null ? `a ${kind}` : Object.keys(options).join(' | '),
  ])
  const rest = listed.length - settings.length
  const abouts = settings.map(({ id, default: fallback, about }) =>
    wrap(toPrintable(`${about} (default: ${fallback})`), { first: `${id}: `, rest: '  ' }),
  )
  return [
    formatTable(['READING', 'VALUE', 'OPTIONS'], rows),
    '',
    ...abouts,
    '',
    `${rest} more readings are part of the spec, and you cannot choose them. --json lists them, with every option`,
  ].join('\n')
}
