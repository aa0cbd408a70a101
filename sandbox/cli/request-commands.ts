import type { Command } from 'commander'
import type { RequestPage, RequestRecord } from '../../spec/generated/control-types.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import type { Perform } from '../compose/perform.ts'
import { choice, controlCommand, option } from './control-command.ts'
import { faultKindNames } from './exchange-lines.ts'
import { formatPage, pageOptions, pageQuery, type PageFlags } from './listing.ts'

interface RequestsFlags extends PageFlags {
  readonly type?: string
  readonly object?: string
  readonly operation?: string
}

export function requestsCommand(): Command {
  return controlCommand({
    name: 'requests',
    description: 'list the calls that the service API received, the newest last',
    about: [
      'The list contains the calls from your platform and from your receiver. The first line shows the command for the previous page. The last line shows the command for the next page.',
    ],
    examples: [
      ['requests', 'list the newest 20 calls'],
      ['requests --operation showItem --object ITEM', 'list the Show calls about an item'],
      ['requests --type items --json', 'print the calls about items as JSON, for a script'],
    ],
    seeAlso: ['jobs', 'timeline', 'faults'],
    options: [
      choice('--type <type>', 'only calls about objects of this type', notifiedTypes),
      option('--object <id>', 'only calls about this object'),
      option('--operation <operation>', 'only calls of this operation, such as showItem'),
      ...pageOptions(),
    ],
    call: (perform, flags: RequestsFlags) => {
      const { type, object, operation } = flags
      return perform('listRequests', {
        query: pageQuery(flags, { object_type: type, object_id: object, operation }),
      })
    },
    text: async (page, flags, perform) =>
      [formatRequests(page, flags), ...(flags.at === undefined ? [] : await knownLines(perform))].join('\n'),
  })
}

async function knownLines(perform: Perform): Promise<readonly string[]> {
  const { calls_since } = await perform('getHistory')
  return calls_since === null
    ? []
    : [`The sandbox stores only the calls since ${calls_since}. Earlier calls are unknown`]
}

export function formatRequests({ requests, older, next_cursor }: RequestPage, flags: RequestsFlags): string {
  const { type, object, operation } = flags
  const rows = requests.map(requestRow)
  const page = { rows, none: 'No calls', older, next_cursor, first: requests[0]?.id ?? 0 }
  return formatPage(['AT', 'WHO', 'CALL', 'STATUS', 'MS', 'FAULTS', 'USER AGENT'], page, {
    command: 'requests',
    flags,
    filter: { type, object, operation },
  })
}

function requestRow({ at, by, method, path, status, took_ms, faults, user_agent }: RequestRecord): string[] {
  return [
    at,
    by ?? '',
    `${method} ${path}`,
    status === null ? '-' : String(status),
    took_ms === null ? '-' : String(Math.round(took_ms)),
    faultKindNames(faults),
    user_agent ?? '',
  ]
}
