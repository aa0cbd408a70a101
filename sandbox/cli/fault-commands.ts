import { Argument, type Command, type Option } from 'commander'
import { faultKinds, type FaultPlace } from '../../spec/faults.ts'
import type { Fault, FaultKindList } from '../../spec/generated/control-types.ts'
import { commandLine, type CommandTarget } from '../engine/core/command-line.ts'
import { toPrintable } from '../engine/core/short-text.ts'
import { CONTENT_HELP } from './content-options.ts'
import { argument, choice, controlCommand, controlSubcommand, option } from './control-command.ts'
import { faultRequest, MATCH_HELP, parseProbability, type AddFlags } from './fault-options.ts'
import { formatTable } from './listing.ts'
import type { Lists } from './manual.ts'
import { collect, milliseconds, whole, withChoices } from './option-values.ts'
import type { SandboxFlags } from './sandbox-flags.ts'

const FAULT_KINDS = [...new Set(Object.values(faultKinds).flatMap((kinds) => Object.keys(kinds)))]

export function faultsCommand(): Command {
  return controlCommand({
    name: 'faults',
    description: 'list, add and remove faults',
    about: ['Without a subcommand, "faults" lists all faults, including used-up faults.'],
    examples: [
      ['faults', 'list the faults'],
      [
        'faults add delivery duplicate --match object_type=items --times 1',
        'deliver the next item notification twice',
      ],
      ['faults clear', 'remove all faults'],
    ],
    seeAlso: ['faults add', 'next-outcome', 'rehearse'],
    call: (perform) => perform('listFaults'),
    text: ({ faults }) => formatFaults(faults),
    subcommands: [addCommand(), kindsCommand(), removeCommand(), clearCommand()],
  })
}

const KIND_LISTS: Lists = {
  'Kinds on delivery, for notifications to your receiver': listKinds('delivery'),
  'Kinds on api, for calls to the service API': listKinds('api'),
}

function listKinds(on: FaultPlace) {
  return Object.entries(faultKinds[on]).map(([kind, { about, takes }]) => {
    const options = takes.map((name) => `--${name.replace(/_ms$/, '').replaceAll('_', '-')}`)
    return [kind, [about, options.join(', ')].join(' ').trim()] as const
  })
}

function addCommand(): Command {
  return controlSubcommand({
    name: 'add',
    description: 'add a fault (faults apply in the order in which you add them)',
    about: [
      `The keys of a match are ${MATCH_HELP}. A fault applies only to deliveries or calls that match all its key=value pairs. Without --match, the fault applies to all deliveries or calls.`,
      `For --body, ${CONTENT_HELP}.`,
    ],
    lists: KIND_LISTS,
    examples: [
      [
        'faults add delivery duplicate --match object_type=items --times 1',
        'deliver one item notification twice',
      ],
      [
        'faults add delivery lost-answer --match object_type=items attempt=1',
        'lose the answer to each first attempt',
      ],
      [
        'faults add delivery modified-body --set /items/amount=1 --probability 0.2 --seed 7',
        'change the amount in one out of every five notifications',
      ],
      [
        'faults add api status --status 503 --match operation=showItem --times 3',
        'answer three Show calls of your platform with 503',
      ],
      ['faults add api stale-show --revisions-back 1', 'answer a Show call with an older revision'],
    ],
    seeAlso: ['faults kinds', 'faults remove', 'settle'],
    arguments: [
      withChoices(new Argument('<on>', 'where'), ['delivery', 'api']),
      withChoices(new Argument('<kind>', 'kind of fault'), FAULT_KINDS),
    ],
    options: addOptions(),
    call: async (perform, flags: AddFlags) => perform('addFault', { body: await faultRequest(flags) }),
    text: formatNewFault,
  })
}

function addOptions(): Option[] {
  return [
    option('--match <key=value...>', 'the deliveries or calls to which the fault applies (repeatable)'),
    option(
      '--times <count>',
      'number of times that the fault applies (default: until you remove it)',
      whole('--times', { least: 1 }),
    ),
    option('--skip <count>', 'number of matching deliveries or calls to skip first', whole('--skip')),
    option('--probability <chance>', 'the probability for each match, such as 0.25', parseProbability),
    option('--seed <number>', 'the seed of the random draws', whole('--seed', { most: 2 ** 32 - 1 })),
    option('--copies <count>', 'number of extra copies', whole('--copies', { least: 1, most: 100 })),
    option('--delay <duration>', 'real milliseconds, or a duration such as 2s', milliseconds('--delay', 1)),
    choice('--at <place>', 'point in the call at which the fault applies (default: request)', [
      'request',
      'answer',
      'body',
    ]),
    option('--status <status>', 'status of the response', whole('--status', { least: 200, most: 599 })),
    option('--retry-after <seconds>', 'the value of Retry-After', whole('--retry-after', { most: 86_400 })),
    option(
      '--revisions-back <count>',
      'number of revisions to go back for the Show response',
      whole('--revisions-back', { least: 1, most: 1_000 }),
    ),
    option(
      '--set </pointer=value>',
      'set a value in the body; for a JSON value, write /pointer:=json (repeatable)',
      collect,
    ),
    option('--body <json>', 'the complete body, or @file.json'),
  ]
}

function kindsCommand(): Command {
  return controlSubcommand({
    name: 'kinds',
    description: 'list the kinds of faults, with their settings',
    examples: [
      ['faults kinds', 'list the kinds with their options'],
      ['faults kinds --json', 'print the kinds as JSON, for a script'],
    ],
    seeAlso: ['faults add'],
    call: (perform) => perform('listFaultKinds'),
    text: formatFaultKinds,
  })
}

function removeCommand(): Command {
  return controlSubcommand({
    name: 'remove',
    description: 'remove a fault, and send the deliveries that it delays',
    examples: [
      ['faults remove FAULT', 'remove a fault by its id, or by the first characters of the id'],
      ['faults remove FAULT --json', 'print how often the fault applied, for a script'],
    ],
    seeAlso: ['faults', 'faults clear'],
    arguments: [argument('<id>', 'the id of the fault')],
    call: (perform, { id }: SandboxFlags & { readonly id: string }) =>
      perform('removeFault', { path: { id } }),
    text: removedLine,
  })
}

function clearCommand(): Command {
  return controlSubcommand({
    name: 'clear',
    description: 'remove all faults, and send the deliveries that they delay',
    examples: [
      ['faults clear', ''],
      ['faults clear --json', 'print the removed faults as JSON, for a script'],
    ],
    seeAlso: ['faults remove', 'reset'],
    call: (perform) => perform('clearFaults'),
    text: ({ faults }) =>
      faults.length === 0 ? 'There were no faults' : faults.map((fault) => removedLine(fault)).join('\n'),
  })
}

function removedLine(fault: Fault): string {
  return `Removed ${faultLine(fault)}, applied ${countText(fault)}`
}

export function formatNewFault(fault: Fault, target: CommandTarget): string {
  const { id, times } = fault
  const often = times === null ? 'until you remove it' : times === 1 ? 'once' : `${times} times`
  const remove = commandLine(`faults remove ${id}`, target)
  return `${toPrintable(`Added ${faultLine(fault)}, ${often}`)}\n  ${toPrintable(remove)}`
}

function faultLine(fault: Fault): string {
  return toPrintable(`fault ${fault.id}: ${fault.on} ${fault.kind} on ${matchText(fault)}`)
}

export function formatFaults(faults: readonly Fault[]): string {
  if (faults.length === 0) return 'No faults'
  return formatTable(
    ['FAULT', 'ON', 'KIND', 'MATCH', 'APPLIED', 'SETTINGS'],
    faults.map((fault) => [
      fault.id,
      fault.on,
      fault.kind,
      matchText(fault),
      `${countText(fault)}${isUsedUp(fault) ? ', used up' : ''}`,
      settingsText(fault),
    ]),
  )
}

function formatFaultKinds({ kinds }: FaultKindList): string {
  const rows = kinds.map(({ on, kind, takes, about }) => [on, kind, takes.join(', '), about])
  return formatTable(['ON', 'KIND', 'TAKES', 'WHAT IT DOES'], rows)
}

function matchText({ match }: Fault): string {
  const pairs = Object.entries(match).map(([key, value]) => `${key}=${value}`)
  return pairs.length === 0 ? 'everything' : pairs.join(' ')
}

const isUsedUp = ({ applied, times }: Fault) => times !== null && applied >= times

function countText({ applied, times }: Fault): string {
  return times === null ? `${applied} times` : `${applied} of ${times} times`
}

function settingsText({ skip, probability, seed, settings }: Fault): string {
  const chance = probability === 1 ? [] : [`probability=${probability}`, `seed=${seed}`]
  const values = Object.entries(settings).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  return [...(skip === 0 ? [] : [`skip=${skip}`]), ...chance, ...values].join(' ')
}
