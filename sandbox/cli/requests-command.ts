import { Command } from 'commander'
import type { RequestPage, RequestRecord } from '../../spec/generated/control-types.ts'
import { connect, print, withBenchOptions } from './bench-options.ts'
import { kindsOf } from './exchange-lines.ts'
import { pageText, queryOf, withPageOptions, type PageFlags } from './listing.ts'

interface RequestsFlags extends PageFlags {
  readonly type?: string
  readonly object?: string
  readonly operation?: string
}

export function requestsCommand(): Command {
  const command = new Command('requests')
    .description('list the calls that the service API received, the newest last')
    .option('--type <type>', 'only calls about objects of this type')
    .option('--object <id>', 'only calls about this object')
    .option('--operation <operation>', 'only calls of this operation, such as showItem')
  return withBenchOptions(withPageOptions(command)).action(async (flags: RequestsFlags) => {
    const { type, object, operation } = flags
    const page = await connect(flags)('listRequests', {
      query: queryOf(flags, { object_type: type, object_id: object, operation }),
    })
    print(page, listed(page, flags), flags)
  })
}

const HEADINGS = ['AT', 'WHO', 'CALL', 'STATUS', 'MS', 'FAULTS', 'USER AGENT']

/** A page of calls, and how to come to what lies before and after it. */
export function listed({ requests, older, next_cursor }: RequestPage, flags: RequestsFlags): string {
  const { type, object, operation } = flags
  const page = { rows: requests.map(row), none: 'No calls', older, next_cursor, first: requests[0]?.id ?? 0 }
  return pageText(HEADINGS, page, { command: 'requests', flags, filter: { type, object, operation } })
}

function row({ at, by, method, path, status, took_ms, faults, user_agent }: RequestRecord): string[] {
  return [
    at,
    by ?? '',
    `${method} ${path}`,
    status === null ? '-' : String(status),
    took_ms === null ? '-' : String(Math.round(took_ms)),
    kindsOf(faults),
    user_agent ?? '',
  ]
}
