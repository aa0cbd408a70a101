import type { Command } from 'commander'
import type {
  CraftedDelivery,
  CraftedDeliveryPage,
  DeliveryRequest,
  RequestPage,
  RequestRecord,
} from '../../spec/generated/control-types.ts'
import { commandLine } from '../adapters/command-line.ts'
import { toPrintable } from '../engine/core/printable.ts'
import { argument, controlCommand, option } from './control-command.ts'
import { exchangeLines, faultKindNames } from './exchange-lines.ts'
import { UsageError } from './failure.ts'
import { CONTENT_HELP, readJsonOption, readRawOption } from './content-options.ts'
import { formatPage, pageOptions, pageQuery, type PageFlags } from './listing.ts'
import { collect, withoutUndefined, requireHttpsUrl, whole } from './option-values.ts'
import type { SandboxFlags } from './sandbox-flags.ts'
import { style, table } from './terminal.ts'

interface DeliverFlags extends SandboxFlags {
  readonly url?: string
  readonly registration?: string
  readonly body?: string
  readonly raw?: string
  readonly header?: readonly string[]
  readonly sourceAddress?: string
  readonly signed?: boolean
  readonly times?: number
}

interface RequestsFlags extends PageFlags {
  readonly type?: string
  readonly object?: string
  readonly operation?: string
}

const DELIVER_HELP = `
For --body and --raw, ${CONTENT_HELP}.
--body is parsed and sent as JSON; --raw is sent byte for byte, whatever it is.

Examples:
  npx hookbench deliver https://localhost:9443/hooks/5f0c --body '{"items":{"id":"42","state":"completed"}}'
  npx hookbench deliver --registration ID --raw @forged.json -H 'content-type: text/plain' --times 3`

export function deliveryCommands(): Command[] {
  return [
    deliverCommand(),
    controlCommand({
      name: 'deliveries',
      description: 'list what was delivered with "deliver", the newest last',
      options: pageOptions(),
      call: (perform, flags: PageFlags) => perform('listDeliveries', { query: pageQuery(flags) }),
      text: formatDeliveries,
    }),
    controlCommand({
      name: 'delivery',
      description: 'show what was delivered with "deliver": what was sent and what came back',
      summary: 'show what was delivered with "deliver"',
      arguments: [argument('<id>', "the delivery's id")],
      call: (perform, { id }: SandboxFlags & { readonly id: string }) =>
        perform('getDelivery', { path: { id } }),
      text: formatDelivery,
    }),
    controlCommand({
      name: 'requests',
      description: 'list the calls that the service API received, the newest last',
      options: [
        option('--type <type>', 'only calls about objects of this type'),
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
      text: formatRequests,
    }),
  ]
}

function deliverCommand(): Command {
  return controlCommand({
    name: 'deliver',
    description: 'deliver anything to a receiver, outside what the service itself would send',
    summary: 'deliver anything to a receiver',
    arguments: [argument('[url]', 'where to; an HTTPS URL that deliveries may go to')],
    options: [
      option('--registration <id>', 'deliver to the URL of this registration'),
      option('--body <json>', 'what to send: a JSON value, or @file.json'),
      option('--raw <text>', 'what to send: text exactly as given, or the bytes of @file'),
      option(
        '-H, --header <name: value>',
        'a header to add, or to send instead of the usual one of that name; repeatable',
        collect,
      ),
      option('--source-address <ip>', 'where it seems to come from, for a sandbox with --source-addresses'),
      option(
        '--signed',
        'sign it as the service signs webhooks; needs the reading signature at hmac, and a secret',
      ),
      option(
        '--times <count>',
        'how many times, one after the other',
        whole('--times', { least: 1, most: 1_000 }),
      ),
    ],
    help: DELIVER_HELP,
    call: async (perform, given: DeliverFlags) =>
      perform('craftDelivery', { body: await deliveryRequest(given) }),
    text: formatAnswers,
  })
}

/** What the flags ask for. Throws UsageError with the remedy. */
export async function deliveryRequest(flags: DeliverFlags): Promise<DeliveryRequest> {
  const { url, registration, header, sourceAddress, signed, times } = flags
  if ((url === undefined) === (registration === undefined)) {
    const state = url === undefined ? 'no target is given' : 'two targets are given'
    throw new UsageError(`Cannot deliver: ${state}; give one of a URL and --registration`)
  }
  if (url !== undefined) requireHttpsUrl('deliver to', url)
  return {
    ...(await deliveryContent(flags)),
    ...withoutUndefined({ url, registration, source_address: sourceAddress, signed, times }),
    ...(header === undefined ? {} : { headers: parseHeaders(header) }),
  }
}

async function deliveryContent({
  body,
  raw,
}: DeliverFlags): Promise<Pick<DeliveryRequest, 'body' | 'raw' | 'raw_encoding'>> {
  if (body !== undefined && raw === undefined) return { body: await readJsonOption('--body', body) }
  if (raw !== undefined && body === undefined) return readRawOption('--raw', raw)
  const state = raw === undefined ? 'no body is given' : 'two bodies are given'
  throw new UsageError(`Cannot deliver: ${state}; give one of --body and --raw ('' for an empty body)`)
}

function parseHeaders(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const { name, value } = /^(?<name>[^:\s]+):\s*(?<value>.*?)\s*$/s.exec(line)?.groups ?? {}
    if (name === undefined || value === undefined) {
      throw new UsageError(`Cannot read header "${line}": write it as 'name: value'`)
    }
    if (headers.has(name.toLowerCase())) {
      throw new UsageError(`Cannot send header "${name}" twice: give it once, with its values joined`)
    }
    headers.set(name.toLowerCase(), value)
  }
  return Object.fromEntries(headers)
}

/** What came back, in a line for each time that it was sent. */
export function formatAnswers(
  { id, url, exchanges }: CraftedDelivery,
  { data }: Pick<SandboxFlags, 'data'>,
): string {
  return [
    toPrintable(`Delivered to ${url} (${commandLine(`delivery ${id}`, data)})`),
    ...exchanges.flatMap((exchange, index) => exchangeLines(`${index + 1}.`, exchange)),
  ].join('\n')
}

/** What was sent, with its headers, and each answer. */
export function formatDelivery(delivery: CraftedDelivery): string {
  const { id, at, url, registration_id, request, exchanges } = delivery
  return [
    style('bold', `Delivery ${toPrintable(id)}`),
    table([
      ['  at', at],
      [
        '  to',
        toPrintable(url),
        registration_id === null ? '' : toPrintable(`registration ${registration_id}`),
      ],
    ]),
    ...exchanges.flatMap((exchange, index) => exchangeLines(`${index + 1}.`, exchange)),
    '',
    'Sent:',
    ...request.headers.map(([name, value]) => toPrintable(`${name}: ${value}`)),
    '',
    toPrintable(request.body),
  ].join('\n')
}

const DELIVERY_HEADINGS = ['DELIVERY', 'AT', 'TIMES', 'ANSWERS', 'URL']

/** A page of crafted deliveries, and how to get the pages before and after it. */
export function formatDeliveries(reply: CraftedDeliveryPage, flags: PageFlags): string {
  const { deliveries, older, next_cursor } = reply
  const rows = deliveries.map(deliveryRow)
  const page = { rows, none: 'No crafted deliveries', older, next_cursor, first: older }
  return formatPage(DELIVERY_HEADINGS, page, { command: 'deliveries', flags })
}

function deliveryRow({ id, at, url, exchanges }: CraftedDelivery): string[] {
  const answers = new Set(exchanges.map(({ status, reason }) => String(status ?? reason)))
  return [id, at, String(exchanges.length), [...answers].join(', '), url]
}

const REQUEST_HEADINGS = ['AT', 'WHO', 'CALL', 'STATUS', 'MS', 'FAULTS', 'USER AGENT']

/** A page of calls, and how to get the pages before and after it. */
export function formatRequests({ requests, older, next_cursor }: RequestPage, flags: RequestsFlags): string {
  const { type, object, operation } = flags
  const rows = requests.map(requestRow)
  const page = { rows, none: 'No calls', older, next_cursor, first: requests[0]?.id ?? 0 }
  return formatPage(REQUEST_HEADINGS, page, {
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
