import type { IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import type { EffectState } from '../../contracts/toolkit/ports.ts'
import type { ReceiverOptions } from '../receivers/receiver.ts'
import type { Platform } from './judged-receiver.ts'
import { serveHttp } from './scripted-server.ts'

export interface ShopHabits {
  readonly shipsEachTime?: true
  readonly takesOnlyNewer?: true
  readonly paidStates: readonly string[]
}

interface Item {
  readonly id: string
  readonly state: string
  readonly amount: number
  readonly updated_at: string
}

export async function startItemsShop(options: ReceiverOptions, habits: ShopHabits): Promise<Platform> {
  const { token, service } = options
  const orders = new Map<string, EffectState>()
  const updates = new Map<string, string>()
  const authorization = `Basic ${btoa('sandbox@example.test:sandbox-token')}`

  async function show(id: string): Promise<Item | 'missing' | 'unavailable'> {
    const url = `${service.url}/items/${encodeURIComponent(id)}`
    const answer = await fetch(url, { headers: { authorization }, signal: AbortSignal.timeout(1_500) })
    if (answer.status === 404) return 'missing'
    return answer.ok ? ((await answer.json()) as { items: Item }).items : 'unavailable'
  }

  function book({ id, state, amount, updated_at }: Item): void {
    if (habits.takesOnlyNewer && updated_at <= (updates.get(id) ?? '')) return
    updates.set(id, updated_at)
    const before = orders.get(id) ?? { effects: 0, state: null }
    const isPaid = habits.paidStates.includes(state)
    const isDue = isPaid && (before.effects === 0 || habits.shipsEachTime === true)
    const effects = before.effects + Number(isDue)
    orders.set(id, { effects, state, ...(effects > 0 && { amount: before.amount ?? amount }) })
  }

  async function receive(text: string): Promise<number> {
    const body = parse(text)
    if (typeof body?.['message'] === 'string') return 204
    const item = body?.['items'] as Item | undefined
    if (typeof item?.id !== 'string' || ['', '.', '..'].includes(item.id)) return 400
    const shown = await show(item.id).catch(() => 'unavailable' as const)
    if (shown === 'unavailable') return 503
    if (shown !== 'missing') book(shown)
    return 204
  }

  return serveItems(options, {
    receive: (path, text) => (isOurs(path) ? receive(text) : Promise.resolve(404)),
    readEffects: (_, id) => orders.get(id) ?? { effects: 0, state: null },
  })

  function isOurs(path: string): boolean {
    return path === `/webhooks/items/${token}` || path === `/callbacks/items/${token}`
  }
}

interface ItemsHandler {
  readonly receive: (path: string, text: string) => Promise<number>
  readonly readEffects: (type: string, id: string) => EffectState
}

export async function serveItems(
  { cert, key, token }: Pick<ReceiverOptions, 'cert' | 'key' | 'token'>,
  { receive, readEffects }: ItemsHandler,
): Promise<Platform> {
  async function statusOf(request: IncomingMessage): Promise<number> {
    const body = await readText(request)
    if (request.method !== 'POST') return 405
    const isJson = request.headers['content-type']?.startsWith('application/json') === true
    return isJson ? receive(request.url ?? '', body) : 415
  }

  const { origin, close } = await serveHttp(
    (request, response) =>
      void statusOf(request)
        .catch(() => 500)
        .then((status) => response.writeHead(status).end()),
    { cert, key },
  )
  return {
    webhooks: { items: `${origin}/webhooks/items/${token}` },
    callbacks: { items: `${origin}/callbacks/items/${token}` },
    effects: '',
    core: { readEffects },
    close,
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
