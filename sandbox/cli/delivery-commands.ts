import type { Command } from 'commander'
import type {
  CraftedDelivery,
  CraftedDeliveryPage,
  DeliveryRequest,
} from '../../spec/generated/control-types.ts'
import { RefusedError } from '../client/requests.ts'
import type { Perform } from '../compose/perform.ts'
import { commandLine, type CommandTarget } from '../engine/core/command-line.ts'
import { toPrintable } from '../engine/core/short-text.ts'
import { argument, controlCommand, option } from './control-command.ts'
import { exchangeLines } from './exchange-lines.ts'
import { UsageError } from './failure.ts'
import { CONTENT_HELP, readJsonOption, readRawOption } from './content-options.ts'
import {
  atOption,
  formatPage,
  pageOptions,
  pageQuery,
  pastQuery,
  type PageFlags,
  type PastFlags,
} from './listing.ts'
import { collect, withoutUndefined, requireHttpsUrl, whole } from './option-values.ts'
import type { SandboxFlags } from './sandbox-flags.ts'
import { formatFacts, style } from './terminal.ts'

interface DeliverFlags
  extends SandboxFlags, Pick<DeliveryRequest, 'url' | 'registration' | 'raw' | 'signed' | 'times'> {
  readonly job?: string
  readonly body?: string
  /** A request body from an earlier delivery. It is sent as it is, so a leading `@` does not name a file. */
  readonly sent?: string
  readonly header?: readonly string[]
  readonly sourceAddress?: string
}

export function deliveryCommands(): Command[] {
  return [
    deliverCommand(),
    controlCommand({
      name: 'deliveries',
      description: 'list manual deliveries, the newest last',
      about: [
        'The first line shows the command for the previous page. The last line shows the command for the next page.',
      ],
      examples: [
        ['deliveries', 'list the newest 20 deliveries'],
        ['deliveries --limit 100 --json', 'print the deliveries as JSON, for a script'],
      ],
      seeAlso: ['deliver', 'delivery', 'jobs'],
      options: pageOptions(),
      call: (perform, flags: PageFlags) => perform('listDeliveries', { query: pageQuery(flags, {}) }),
      text: formatDeliveries,
    }),
    controlCommand({
      name: 'delivery',
      description: 'show a manual delivery, with its requests and responses',
      summary: 'show a manual delivery',
      examples: [
        ['delivery DELIVERY', ''],
        ['delivery DELIVERY --json', 'print the complete delivery as JSON, for a script'],
      ],
      seeAlso: ['deliver', 'deliveries'],
      arguments: [argument('<id>', 'the id of the delivery')],
      options: [atOption()],
      call: (perform, flags: PastFlags & { readonly id: string }) =>
        perform('getDelivery', { path: { id: flags.id }, query: pastQuery(flags) }),
      text: formatDelivery,
    }),
  ]
}

function deliverCommand(): Command {
  return controlCommand({
    name: 'deliver',
    description: 'send any bytes to a receiver',
    summary: 'send any delivery to a receiver',
    about: [
      `For --body and --raw, ${CONTENT_HELP}. --body is sent as JSON, --raw byte for byte.`,
      'The sandbox delivers to this machine, and to the hosts of "up --allow-target".',
    ],
    examples: [
      [
        'deliver https://localhost:9443/hooks/5f0c --body \'{"items":{"id":"42","state":"completed"}}\'',
        'send a notification that the service never sent',
      ],
      [
        "deliver --registration REGISTRATION --raw @forged.json -H 'content-type: text/plain' --times 3",
        'send the bytes of a file three times',
      ],
      ['deliver --job JOB', 'send the body of a job once more'],
    ],
    seeAlso: ['deliveries', 'resend', 'faults'],
    arguments: [argument('[url]', 'the HTTPS URL of the receiver')],
    options: [
      option('--registration <id>', 'deliver to the URL of this registration'),
      option('--job <id>', 'send the body of the job again, to the registration of the job'),
      option('--body <json>', 'the body, as a JSON value or @file.json'),
      option('--raw <text>', 'the body, as exact text or the bytes of @file'),
      option('-H, --header <name: value>', 'a header to add or to replace (repeatable)', collect),
      option(
        '--source-address <ip>',
        'source address of the delivery, for a sandbox with --source-addresses',
      ),
      option('--signed', 'sign the delivery like a webhook, which requires a secret'),
      option(
        '--times <count>',
        'number of deliveries, sent one after another',
        whole('--times', { least: 1, most: 1_000 }),
      ),
    ],
    call: async (perform, given: DeliverFlags) =>
      perform('craftDelivery', { body: await deliveryRequest(await withJob(given, perform)) }),
    text: formatAnswers,
  })
}

async function withJob({ job: id, ...flags }: DeliverFlags, perform: Perform): Promise<DeliverFlags> {
  if (id === undefined) return flags
  const { url, registration, body, raw } = flags
  if ([url, registration, body, raw].some((given) => given !== undefined)) {
    throw new UsageError(
      'Cannot deliver: a job has its own target and body. Give --job without another target or body',
    )
  }
  const { job, attempts } = await perform('getJob', { path: { id } })
  const sent = attempts.at(-1)?.request.body
  if (sent !== undefined) return { ...flags, registration: job.registration_id, sent }
  const remedy = { hint: 'advance the clock to the due time' }
  throw new RefusedError(`Cannot deliver job "${job.id}" once more: the job has had no attempt yet`, remedy)
}

/** Throws UsageError for invalid options. */
export async function deliveryRequest(flags: DeliverFlags): Promise<DeliveryRequest> {
  const { url, registration, header, sourceAddress, signed, times } = flags
  if ((url === undefined) === (registration === undefined)) {
    const state = url === undefined ? 'the target is missing' : 'two targets are given'
    throw new UsageError(`Cannot deliver: ${state}. Give one of a URL, --registration and --job`)
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
  sent,
}: DeliverFlags): Promise<Pick<DeliveryRequest, 'body' | 'raw' | 'raw_encoding'>> {
  if (sent !== undefined) return { raw: sent }
  if (body !== undefined && raw === undefined) return { body: await readJsonOption('--body', body) }
  if (raw !== undefined && body === undefined) return readRawOption('--raw', raw)
  const state = raw === undefined ? 'the body is missing' : 'two bodies are given'
  throw new UsageError(`Cannot deliver: ${state}. Give one of --body and --raw ('' for an empty body)`)
}

function parseHeaders(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const { name, value } = /^(?<name>[^:\s]+):\s*(?<value>.*?)\s*$/s.exec(line)?.groups ?? {}
    if (name === undefined || value === undefined) {
      throw new UsageError(`Cannot read header "${line}": write it as 'name: value'`)
    }
    if (headers.has(name.toLowerCase())) {
      throw new UsageError(`Cannot send header "${name}" twice: join its values in one header`)
    }
    headers.set(name.toLowerCase(), value)
  }
  return Object.fromEntries(headers)
}

export function formatAnswers({ id, url, exchanges }: CraftedDelivery, target: CommandTarget): string {
  return [
    toPrintable(`Delivered to ${url} (${commandLine(`delivery ${id}`, target)})`),
    ...exchanges.flatMap((exchange, index) => exchangeLines(`${index + 1}.`, exchange)),
  ].join('\n')
}

export function formatDelivery(delivery: CraftedDelivery): string {
  const { id, at, url, registration_id, request, exchanges } = delivery
  return [
    style('bold', `Delivery ${toPrintable(id)}`),
    formatFacts([
      ['at', at],
      [
        'to',
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

export function formatDeliveries(reply: CraftedDeliveryPage, flags: PageFlags): string {
  const { deliveries, older, next_cursor } = reply
  const rows = deliveries.map(deliveryRow)
  const page = { rows, none: 'No manual deliveries', older, next_cursor, first: older }
  return formatPage(['DELIVERY', 'AT', 'TIMES', 'ANSWERS', 'URL'], page, { command: 'deliveries', flags })
}

function deliveryRow({ id, at, url, exchanges }: CraftedDelivery): string[] {
  const answers = new Set(exchanges.map(({ status, reason }) => String(status ?? reason)))
  return [id, at, String(exchanges.length), [...answers].join(', '), url]
}
