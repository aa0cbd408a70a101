import type { RequestRecord } from '../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import type { Message } from '../toolkit/check-context.ts'

/** The calls of the receiver as they come in and are answered, followed once for all checks of a run. */
export interface CallFeed {
  /** Each call as it came in and once more as it was answered, as far as it was read; oldest first. */
  readonly changes: readonly CallChange[]
  /** Each call by its number, as it was last read. */
  readonly records: ReadonlyMap<number, RequestRecord>
  /** The types that it was notified of and never asked for in the time that it had. */
  readonly silent: Set<NotifiedType>
  /** Reads what is new. */
  refresh(): Promise<void>
}

export interface CallChange {
  readonly number: number
  /** `items/5ec8…`, by the id that was asked for. */
  readonly object: string
  readonly isOpen: boolean
}

/** `callsFrom` lists the calls with this number and later ones. */
export function createCallFeed(callsFrom: (number: number) => Promise<readonly RequestRecord[]>): CallFeed {
  const changes: CallChange[] = []
  const records = new Map<number, RequestRecord>()
  const silent = new Set<NotifiedType>()
  const open = new Set<number>()
  let next = 0
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    for (const record of await callsFrom(Math.min(next, ...open))) {
      const { id: number, object_type, object_id, took_ms } = record
      const isOpen = took_ms === null
      records.set(number, record)
      if (number < next && (isOpen || !open.has(number))) continue
      next = Math.max(next, number + 1)
      if (isOpen) open.add(number)
      else open.delete(number)
      changes.push({ number, object: `${object_type}/${object_id}`, isOpen })
      for (const type of silent) if (type === object_type) silent.delete(type)
    }
  }

  return {
    changes,
    records,
    silent,
    refresh() {
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    },
  }
}

/** Who asks about one object more often makes no progress. */
const MOST_CALLS = 20
/** Who has asked so often about others has had the time to work off what came before. */
const MOST_OTHERS = 200

/** What the receiver is seen to do about the objects of one check. */
export interface Activity {
  /** To be called before a message is sent; what it returns, once the message is accepted. */
  sending(message: Pick<Message, 'type' | 'id' | 'body'>): Promise<() => void>
  look(): Promise<Signs>
  /** What it has not asked about until now it need not ask about any more. */
  giveUp(): void
}

export interface Signs {
  /** How often anything was seen. */
  readonly count: number
  /** Whether it waits for an answer of the service. */
  readonly isCalling: boolean
  /** Whether it has accepted news of an object, and has not asked for that since. */
  readonly isBehind: boolean
}

export interface ActivityPorts {
  readonly feed: CallFeed
  /** The name of an object under whatever id; undefined for what the check has not made. */
  readonly nameOf: (object: string) => string | undefined
  /** Whether it can be expected to ask. */
  readonly callsBack: boolean
}

export function createActivity({ feed, nameOf, callsBack }: ActivityPorts): Activity {
  const open = new Set<number>()
  const delivered = new Set<string>()
  const madeUp = new Set<string>()
  const unasked = new Map<string, NotifiedType>()
  const mayCount = createCap(MOST_CALLS)
  let [read, count, others] = [0, 0, 0]

  /** What it was notified of is the check's own, even if the service does not have it. */
  const ownName = (object: string) => nameOf(object) ?? (madeUp.has(object) ? object : undefined)

  async function catchUp(): Promise<void> {
    await feed.refresh()
    for (const { number, object, isOpen } of feed.changes.slice(read)) {
      const isEnd = open.delete(number)
      const name = ownName(object)
      if (name !== undefined) unasked.delete(name)
      // What it has accepted waits for its turn while it asks about others, which other checks have sent.
      if (unasked.size > 0 && name === undefined && others++ < MOST_OTHERS) count++
      if (isEnd) count++
      if (isEnd || name === undefined) continue
      if (!mayCount(name)) continue
      count++
      if (isOpen) open.add(number)
    }
    read = feed.changes.length
  }

  return {
    async sending({ type, id, body }) {
      const object = `${type}/${id}`
      const name = nameOf(object) ?? object
      if (name === object) madeUp.add(object)
      // What it knows already it need not ask about again.
      if (!callsBack || delivered.has(body)) return () => {}
      await catchUp()
      const before = feed.changes.length
      return () => {
        delivered.add(body)
        const isAsked = feed.changes.slice(before).some((change) => ownName(change.object) === name)
        if (isAsked || feed.silent.has(type)) return
        unasked.set(name, type)
        others = 0
      }
    },
    async look() {
      await catchUp()
      return { count, isCalling: open.size > 0, isBehind: unasked.size > 0 }
    },
    giveUp() {
      const asked = new Set(feed.changes.map(({ object }) => object.slice(0, object.indexOf('/'))))
      for (const type of unasked.values()) if (!asked.has(type)) feed.silent.add(type)
      unasked.clear()
    },
  }
}

/** Says of each name whether it came so often at most. */
function createCap(most: number): (name: string) => boolean {
  const times = new Map<string, number>()
  return (name) => {
    const before = times.get(name) ?? 0
    times.set(name, before + 1)
    return before < most
  }
}
