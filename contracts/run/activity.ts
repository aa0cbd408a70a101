import type { RequestRecord } from '../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import type { Message } from '../toolkit/check-context.ts'

export interface CallChange {
  readonly number: number
  /** The object type and the id in the request, such as `items/5ec8…`. */
  readonly object: string
  readonly isOpen: boolean
}

/** Reads the calls of the receiver. `callsFrom` returns the call with the given number and all later calls. */
export function createCallFeed(callsFrom: (number: number) => Promise<readonly RequestRecord[]>) {
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
    /** The changes in chronological order. Each call causes two changes: its arrival and its answer. */
    changes,
    /** The latest record of each call, by call number. */
    records,
    /** The types of objects about which the receiver never asked in time. */
    silent,
    refresh() {
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    },
  }
}

/** The calls of the receiver. The feed reads the calls once for all checks of a run. */
export type CallFeed = ReturnType<typeof createCallFeed>

/** The maximum number of calls about one object that count as progress of the receiver. */
const MAX_CALLS = 20
/** After this number of calls about other objects, the run assumes that the receiver has finished earlier work. */
const MAX_OTHERS = 200

/** A function that returns the name of the object with this id. Returns undefined if the object belongs to another check. */
type NameOf = (object: string) => string | undefined

/** Observes the activity of the receiver. If `callsBack` is false, the receiver need not call the service. */
export function createActivity(feed: CallFeed, nameOf: NameOf, callsBack: boolean) {
  const open = new Set<number>()
  const delivered = new Set<string>()
  const madeUp = new Set<string>()
  const unasked = new Map<string, NotifiedType>()
  const mayCount = createCap(MAX_CALLS)
  let [read, count, others] = [0, 0, 0]

  /** Returns the name of an object of this check. The object may exist only in a notification, not in the service. */
  const ownName = (object: string) => nameOf(object) ?? (madeUp.has(object) ? object : undefined)

  async function catchUp(): Promise<void> {
    await feed.refresh()
    for (const { number, object, isOpen } of feed.changes.slice(read)) {
      const isEnd = open.delete(number)
      const name = ownName(object)
      if (name !== undefined) unasked.delete(name)
      // Calls about objects of other checks show that the receiver is still busy.
      if (unasked.size > 0 && name === undefined && others++ < MAX_OTHERS) count++
      if (isEnd) count++
      if (isEnd || name === undefined) continue
      if (!mayCount(name)) continue
      count++
      if (isOpen) open.add(number)
    }
    read = feed.changes.length
  }

  return {
    /** Records that a message is about to be sent. Call the returned function when the message is accepted. */
    async sending({ type, id, body }: Pick<Message, 'type' | 'id' | 'body'>) {
      const object = `${type}/${id}`
      const name = nameOf(object) ?? object
      if (name === object) madeUp.add(object)
      // The receiver need not ask the service again if the same body arrives again.
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
    /** Stops waiting for calls about notified objects. Remembers the object types about which the receiver never asked. */
    giveUp() {
      const asked = new Set(feed.changes.map(({ object }) => object.slice(0, object.indexOf('/'))))
      for (const type of unasked.values()) if (!asked.has(type)) feed.silent.add(type)
      unasked.clear()
    },
  }
}

export type Activity = ReturnType<typeof createActivity>

function createCap(most: number): (name: string) => boolean {
  const times = new Map<string, number>()
  return (name) => {
    const before = times.get(name) ?? 0
    times.set(name, before + 1)
    return before < most
  }
}
