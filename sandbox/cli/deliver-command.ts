import { Command } from 'commander'
import type { CraftedDelivery, DeliveryRequest } from '../../spec/generated/control-types.ts'
import { printable } from '../engine/core/printable.ts'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { exchangeLines } from './exchange-lines.ts'
import { UsageError } from './failure.ts'
import { refuseNoUrl } from './receiver-url.ts'
import { CONTENT_HELP, givenJson, givenRaw } from './given-content.ts'
import { collect, defined, whole } from './option-values.ts'

/** What `deliver` is told on the command line. */
export interface DeliverFlags extends BenchFlags {
  readonly registration?: string
  readonly body?: string
  readonly raw?: string
  readonly header?: readonly string[]
  readonly sourceAddress?: string
  readonly signed?: boolean
  readonly times?: number
}

const EXAMPLES = `
For --body and --raw, ${CONTENT_HELP}.
--body is written anew as JSON; --raw is sent byte for byte, so that it may be anything.

Examples:
  npx hookbench deliver https://localhost:9443/hooks/5f0c --body '{"items":{"id":"42","state":"completed"}}'
  npx hookbench deliver --registration ID --raw @forged.json -H 'content-type: text/plain' --times 3`

export function deliverCommand(): Command {
  const command = new Command('deliver')
    .description('deliver anything to a receiver, outside what the service itself would send')
    .summary('deliver anything to a receiver')
    .argument('[url]', 'where to; an HTTPS URL that deliveries may go to')
    .option('--registration <id>', 'or the URL of this registration')
    .option('--body <json>', 'a JSON value, or @file.json')
    .option('--raw <text>', 'or text as it stands, or the bytes of @file')
    .option(
      '-H, --header <name: value>',
      'a header in place of those of the service, or beside them; repeatable',
      collect,
    )
    .option('--source-address <ip>', 'where it seems to come from, for a sandbox with --source-addresses')
    .option(
      '--signed',
      'signed as the service signs webhooks, with the reading signature at hmac and a secret set',
    )
    .option('--times <count>', 'how often, one after the other', whole('--times', { least: 1, most: 1_000 }))
    .addHelpText('after', EXAMPLES)
  return withBenchOptions(command).action(async (url: string | undefined, flags: DeliverFlags) => {
    const delivery = await connect(flags)('craftDelivery', { body: requestOf(url, flags) })
    print(delivery, delivered(delivery), flags)
  })
}

/** What the flags ask for. Throws UsageError with the remedy. */
export function requestOf(url: string | undefined, flags: DeliverFlags): DeliveryRequest {
  const { registration, header, sourceAddress, signed, times } = flags
  if ((url === undefined) === (registration === undefined)) {
    const state = url === undefined ? 'it is not said where to' : 'two places are given'
    throw new UsageError(`Cannot deliver: ${state}; give one of a URL and --registration`)
  }
  if (url !== undefined) refuseNoUrl('deliver to', url)
  return {
    ...contentOf(flags),
    ...defined({ url, registration, source_address: sourceAddress, signed, times }),
    ...(header === undefined ? {} : { headers: headersOf(header) }),
  }
}

function contentOf({ body, raw }: DeliverFlags): Pick<DeliveryRequest, 'body' | 'raw' | 'raw_encoding'> {
  if (body !== undefined && raw === undefined) return { body: givenJson('--body', body) }
  if (raw !== undefined && body === undefined) return givenRaw('--raw', raw)
  const state = raw === undefined ? 'it is not said what' : 'two bodies are given'
  throw new UsageError(`Cannot deliver: ${state}; give one of --body and --raw ('' for an empty body)`)
}

function headersOf(lines: readonly string[]): Record<string, string> {
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

/** A crafted delivery in one line for each time that it was sent. */
export function delivered({ id, url, exchanges }: CraftedDelivery): string {
  return [
    printable(`Delivered to ${url} (npx hookbench delivery ${id})`),
    ...exchanges.flatMap((exchange, index) => exchangeLines(`${index + 1}.`, exchange)),
  ].join('\n')
}
