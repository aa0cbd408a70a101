import { isNotifiedType, type NotifiedType } from '../../spec/notifications.ts'
import type { ReceivedRequest, ReceiverAnswer } from '../adapters/example-receiver.ts'

/** Source: §6.2 */
export const SHOP_TYPES = ['items', 'transactions', 'batch_transactions'] as const

/** The last segment is hard to guess, as it should be for every receiver. Source: §5 */
const SECRET_PATH = '8f2c4e6a91b3d570c2e4f6a8091b3d57'

const notificationPath = (type: string) => `/notifications/${type}/${SECRET_PATH}`

export const shopUrl = (origin: string, type: NotifiedType) => `${origin}${notificationPath(type)}`
export const effectsUrl = (origin: string) => `${origin}/effects/{object_type}/{id}`

/** The number of failures before it accepts a state. */
const FAILURES: readonly (readonly [state: string, times: number])[] = [['payment_deposited', 2]]

interface Known {
  effects: number
  state: string | null
}

/** Creates a shop with the most common bug: a duplicate notification ships the goods twice. */
export function createShop(): { answer(request: ReceivedRequest): ReceiverAnswer } {
  const known = new Map<string, Known>()
  const failuresLeft = new Map(FAILURES)

  function isFailing(state: string): boolean {
    const left = failuresLeft.get(state) ?? 0
    if (left > 0) failuresLeft.set(state, left - 1)
    return left > 0
  }

  function receive(type: string, body: string): ReceiverAnswer {
    const { id, state, type: what } = readObject(type, body)
    // Such as the test message of a registration. Source: §2.1
    if (id === undefined) return { status: 204 }
    if (isFailing(state)) return { status: 503 }
    const name = `${type}/${id}`
    const { effects } = known.get(name) ?? { effects: 0 }
    const ships = type === 'transactions' && what === 'payment' && state === 'successful'
    known.set(name, { effects: ships ? effects + 1 : effects, state })
    return { status: 204 }
  }

  return {
    answer({ method, path, body }) {
      const type = SHOP_TYPES.find((each) => path === notificationPath(each))
      if (method === 'POST' && type) return receive(type, body)
      const [, , object, id] = path.match(/^\/(effects)\/([^/]+)\/([^/]+)$/) ?? []
      if (method !== 'GET' || object === undefined || !isNotifiedType(object)) return { status: 404 }
      return { status: 200, json: known.get(`${object}/${id}`) ?? { effects: 0, state: null } }
    },
  }
}

interface Told {
  readonly id: string | undefined
  readonly state: string
  readonly type: string
}

/** Reads the object of a notification. Without an id if it has none. */
function readObject(type: string, body: string): Told {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    parsed = undefined
  }
  const object: unknown = Reflect.get(Object(parsed), type)
  const read = (name: string) => {
    const value: unknown = Reflect.get(Object(object), name)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  return { id: read('id'), state: read('state') ?? '', type: read('type') ?? '' }
}
