import { Command } from 'commander'
import type { CraftedDelivery, CraftedDeliveryPage } from '../../spec/generated/control-types.ts'
import { printable } from '../engine/core/printable.ts'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { exchangeLines } from './exchange-lines.ts'
import { pageText, queryOf, withPageOptions, type PageFlags } from './listing.ts'
import { styled, table } from './terminal.ts'

export function deliveriesCommand(): Command {
  const command = new Command('deliveries').description(
    'list what was delivered with "deliver", the newest last',
  )
  return withBenchOptions(withPageOptions(command)).action(async (flags: PageFlags) => {
    const page = await connect(flags)('listDeliveries', { query: queryOf(flags) })
    print(page, listed(page, flags), flags)
  })
}

export function deliveryCommand(): Command {
  const command = new Command('delivery')
    .description('show what was delivered with "deliver": what was sent and what came back')
    .summary('show what was delivered with "deliver"')
    .argument('<id>', "the delivery's id")
  return withBenchOptions(command).action(async (id: string, flags: BenchFlags) => {
    const delivery = await connect(flags)('getDelivery', { path: { id } })
    print(delivery, shown(delivery), flags)
  })
}

const HEADINGS = ['DELIVERY', 'AT', 'TIMES', 'ANSWERS', 'URL']

/** A page of crafted deliveries, and how to come to what lies before and after it. */
export function listed({ deliveries, older, next_cursor }: CraftedDeliveryPage, flags: PageFlags): string {
  const page = { rows: deliveries.map(row), none: 'No crafted deliveries', older, next_cursor, first: older }
  return pageText(HEADINGS, page, { command: 'deliveries', flags })
}

function row({ id, at, url, exchanges }: CraftedDelivery): string[] {
  const answers = new Set(exchanges.map(({ status, reason }) => String(status ?? reason)))
  return [id, at, String(exchanges.length), [...answers].join(', '), url]
}

/** What was sent, with its headers, and each answer. */
export function shown({ id, at, url, registration_id, request, exchanges }: CraftedDelivery): string {
  return [
    styled('bold', `Delivery ${printable(id)}`),
    table([
      ['  at', at],
      ['  to', printable(url), registration_id === null ? '' : printable(`registration ${registration_id}`)],
    ]),
    ...exchanges.flatMap((exchange, index) => exchangeLines(`${index + 1}.`, exchange)),
    '',
    'Sent:',
    ...request.headers.map(([name, value]) => printable(`${name}: ${value}`)),
    '',
    printable(request.body),
  ].join('\n')
}
