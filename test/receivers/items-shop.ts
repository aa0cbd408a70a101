/**
 * A shop that has a URL for items only and ships paid items. The shop fetches the object from the service before it responds. The
 * shop responds as soon as the order is in its journal. The code was written from the service's document and the README, without
 * knowledge of the checks. Each `hole` is an optional defect that models a common mistake in receivers.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IncomingMessage } from 'node:http'
import { flags, has, idIn, isTest, readPosted, responding, serve } from './program.ts'

interface Item {
  readonly id: string
  readonly state: string
  readonly updated_at: string
  readonly total_amount?: number
  readonly currency?: string
}

interface Order {
  shipped: number
  item: Item | undefined
}

const orders = new Map<string, Order>()
mkdirSync(flags.data, { recursive: true })
const journal = join(flags.data, 'journal')

function apply(line: { readonly item: Item; readonly ships: boolean }): void {
  const order = orders.get(line.item.id) ?? { shipped: 0, item: undefined }
  orders.set(line.item.id, { shipped: order.shipped + Number(line.ships), item: line.item })
}

if (existsSync(journal) && !has('forgets-on-restart')) {
  const lines = readFileSync(journal, 'utf8').split('\n')
  for (const line of lines.filter((each) => each.endsWith('}'))) apply(JSON.parse(line))
}

/** Writes the order to disk before the response. */
function record(item: Item, ships: boolean): void {
  const line = { item, ships }
  appendFileSync(journal, `${JSON.stringify(line)}\n`, { flush: true })
  apply(line)
}

const PAID = new Set(['payment_deposited', 'completed'])

function isPaid({ state }: Item): boolean {
  if (has('never-ships')) return false
  // This option is not a defect, because shipping only in the state `completed` is also correct.
  if (has('ships-later')) return state === 'completed'
  return PAID.has(state) || (has('acts-on-intermediate') && state === 'payment_pending')
}

async function show(id: string): Promise<Item | undefined> {
  const reply = await fetch(`${flags.service}/items/${encodeURIComponent(id)}`, {
    headers: { authorization: `Basic ${btoa('sandbox@example.test:sandbox-token')}` },
    signal: AbortSignal.timeout(8_000),
  })
  if (reply.status === 404) return undefined
  if (!reply.ok) throw new Error(`the service answers ${reply.status}`)
  const { items } = (await reply.json()) as { readonly items?: Item }
  if (items?.id !== id) throw new Error(`asked for ${id}, was told of ${items?.id}`)
  return items
}

async function decide(posted: Item): Promise<number> {
  let shown: Item | undefined
  try {
    shown = has('trusts-body') ? posted : await show(posted.id)
  } catch (error) {
    console.error(String(error))
    return has('ignores-show-failures') ? 204 : 503
  }
  if (!shown) return 204
  const known = orders.get(posted.id)
  if (has('dedupes-by-id') && known) return 204
  // No `await` follows, so two simultaneous copies cannot both cause a shipment.
  const isOld = known?.item !== undefined && known.item.updated_at > shown.updated_at
  const isFirst = !known?.shipped || has('acts-on-each-copy')
  if (isOld && !has('downgrades') && !has('acts-on-each-copy')) return 204
  record(has('downgrades') ? { ...shown, state: posted.state } : shown, isPaid(shown) && isFirst)
  return 204
}

async function answer(request: IncomingMessage): Promise<number> {
  const { pathname } = new URL(request.url ?? '/', 'https://localhost')
  const isOurs = has('any-token')
    ? pathname.startsWith('/hooks/orders/')
    : pathname === `/hooks/orders/${flags.token}`
  if (!isOurs) return 404
  const posted = await readPosted(request)
  if (typeof posted === 'number') return posted
  if (isTest(posted)) return 200
  const id = idIn('items', posted)
  if (id === undefined) return 422
  const item: Item = Reflect.get(posted, 'items')
  if (!has('answers-before-storing')) return decide(item)
  setTimeout(() => void decide(item), 1_000)
  return 204
}

function readEffects(type: string, id: string): object {
  const order = type === 'items' ? orders.get(id) : undefined
  const { total_amount: amount, currency } = order?.item ?? {}
  return { effects: order?.shipped ?? 0, state: order?.item?.state ?? null, amount, currency }
}

serve(responding(answer), readEffects)
