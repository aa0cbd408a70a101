import type { Command } from 'commander'
import { OPERATIONS } from '../../spec/generated/control-operations.ts'
import type { ObjectDescription, ObjectPage, SpecMark } from '../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import { toPrintable } from '../engine/core/short-text.ts'
import { argument, controlCommand, option } from './control-command.ts'
import { atOption, formatCommand, formatTable, limitOption, pastQuery, type PastFlags } from './listing.ts'
import type { ObjectFlags } from './object-commands.ts'
import { typeArgument, withoutUndefined } from './option-values.ts'

interface ObjectsFlags extends PastFlags {
  readonly type: NotifiedType
  readonly limit: number
  readonly before?: string
  readonly id?: string
  readonly state?: string
}

const LIMIT = OPERATIONS.listObjects.query.limit

export function objectViewCommands(): Command[] {
  return [objectsCommand(), describeCommand()]
}

function objectsCommand(): Command {
  return controlCommand({
    name: 'objects',
    description: 'list the objects of a type with their states',
    about: [
      'The command lists the newest objects, oldest first. The first line shows the command for the previous page.',
    ],
    examples: [
      ['objects items', 'list the newest 200 items'],
      ['objects items --state completed --limit 1000', 'search the newest 1000 items for a state'],
      ['objects users --id buyer --json', 'search by the first characters of the id, as JSON'],
    ],
    seeAlso: ['show', 'describe', 'create'],
    arguments: [typeArgument()],
    options: [
      option('--id <start>', 'only objects whose id starts with this text'),
      option('--state <state>', 'only objects in this state'),
      limitOption('maximum number of objects to search', LIMIT),
      option('--before <before>', 'list objects older than this cursor, which an earlier page printed'),
      atOption(),
    ],
    call: (perform, flags: ObjectsFlags) => {
      const { limit, before, id, state } = flags
      const query = { limit, ...withoutUndefined({ before, id, state }), ...pastQuery(flags) }
      return perform('listObjects', { path: { type: flags.type }, query })
    },
    text: formatObjects,
  })
}

function describeCommand(): Command {
  return controlCommand({
    name: 'describe',
    description:
      'show the next states of an object, and whether its fields come from the document or a reading',
    summary: 'show the next states of an object, and the source of its fields',
    about: ['For each field, the output names its source: a section of the service document, or a reading.'],
    examples: [
      ['describe items ITEM', ''],
      ['describe items ITEM --json', 'print the states and transitions as JSON, for a script'],
    ],
    seeAlso: ['show', 'move', 'readings'],
    arguments: [typeArgument(), argument('<id>', 'the id of the object')],
    options: [atOption()],
    call: (perform, flags: ObjectFlags & PastFlags) =>
      perform('describeObject', { path: { type: flags.type, id: flags.id }, query: pastQuery(flags) }),
    text: formatDescription,
  })
}

export function formatObjects({ objects, older, before }: ObjectPage, flags: ObjectsFlags): string {
  const { type, limit, id, state, at } = flags
  const given = { id, state, at, limit: limit === LIMIT.fallback ? undefined : limit }
  const earlier =
    before === null
      ? []
      : [`${older} older: ${formatCommand(`objects ${type}`, { ...given, before }, flags)}`]
  const rows = objects.map((each) => [each.id, each.state ?? '', String(each.revision)])
  return [
    ...earlier,
    rows.length === 0 ? `No ${type}` : formatTable(['ID', 'STATE', 'REVISION'], rows, true),
  ].join('\n')
}

export function formatDescription(description: ObjectDescription): string {
  const { object_type, id, state, next, moves, fields } = description
  const ways = next.length === 0 ? 'nowhere' : next.join(', ')
  const at = state === null ? '' : ` is ${state}, and`
  const rows = fields.map(({ path, value, mark }) => [path, value, markText(mark)])
  return [
    toPrintable(`${object_type} ${id}${at} can be moved to: ${ways} (${markText(moves)})`),
    formatTable(['FIELD', 'VALUE', 'KNOWN FROM'], rows),
  ].join('\n')
}

function markText({ source, reading }: SpecMark): string {
  if (reading === null) return source === null ? 'nothing' : `stated, ${source}`
  return `from the reading ${reading}${source === null ? '' : `, ${source}`}`
}
