import { CUT_CONNECTION, type HttpRequest, type HttpResponse } from '../engine/core/http.ts'
import type { RealTime } from '../engine/core/ports.ts'
import type { Store } from '../engine/state/store.ts'
import type { WorldDirectory } from '../engine/state/world-directory.ts'
import { WorldGoneError, type WorldPause, type WorldRecord } from '../engine/state/world-record.ts'
import type { OpenWorld } from './open-world.ts'
import type { Door } from './serve-options.ts'
import {
  createIdleWorlds,
  createWorldOpener,
  endSlot,
  type Slot,
  type WorldOpener,
  type WorldOpenerPorts,
} from './world-slot.ts'

/** The worlds of a directory that are in memory. */
export interface WorldRegistry {
  isOpen(id: string): boolean
  /** The ids of those that are open, or about to be. */
  ids(): readonly string[]
  /** Answers in this world, which is opened if need be. Throws WorldGoneError and StorageError if it cannot be. */
  serve(world: WorldRecord, door: Door, request: HttpRequest): Promise<HttpResponse>
  /** Opens it if need be, and keeps it open until `run` has resolved. Throws as `serve` does. */
  use<Result>(world: WorldRecord, run: (open: OpenWorld) => Promise<Result>): Promise<Result>
  /** Opens a world that sends nothing, for `fill` alone; closes it, and returns how it stands then. */
  fill(
    world: WorldRecord,
    store: Store,
    fill: (draft: OpenWorld) => Promise<void>,
  ): Promise<WorldPause | undefined>
  /** Ends what is under way in it, within the grace, and closes it; does nothing if it is not open. */
  close(id: string): Promise<void>
  /** Ends what would never end by itself, in all of them. */
  hangUp(): Promise<void>
  /** None is opened any more. */
  closeAll(): Promise<void>
}

export interface WorldRegistryPorts extends WorldOpenerPorts {
  readonly directory: WorldOpenerPorts['directory'] & Pick<WorldDirectory, 'keepPause'>
  readonly realTime: Pick<RealTime, 'after' | 'now'>
  readonly graceMs: number
  /** For how long nothing has to happen in a world until it is closed. */
  readonly idleMs: number
  readonly onOpened: (world: WorldRecord) => void
  /** Called when it could not be opened after all. */
  readonly onUnopened: (world: WorldRecord) => void
  /** Called when it was closed because it was idle. */
  readonly onPaused: (world: WorldRecord, pause: WorldPause) => void
}

export function createWorldRegistry(ports: WorldRegistryPorts): WorldRegistry {
  const opener = createWorldOpener(ports)
  const { slots, idle, use, forget, stop } = createSlots(ports, opener)

  const registry: WorldRegistry = {
    isOpen: (id) => slots.get(id)?.world !== undefined,
    ids: () => [...slots.keys()],
    use,
    serve: (record, door, request) =>
      use(record, async ({ assembled }, slot) => {
        const response = await assembled[door](request)
        if (slot.isCut) return CUT_CONNECTION
        return typeof response.body === 'object' ? withEnd(response, slot.enter()) : response
      }),
    fill: async (record, store, fill) => {
      const draft = opener.openDraft(record, store)
      try {
        await fill(draft)
        return draft.assembled.standstill.read()
      } finally {
        await draft.assembled.close()
      }
    },
    async close(id) {
      const slot = slots.get(id)
      if (!slot) return
      slot.ending ??= endSlot(slot, ports).finally(() => forget(slot))
      await slot.ending
    },
    hangUp: () => forEach(slots, async ({ world }) => world?.assembled.hangUp()),
    async closeAll() {
      stop()
      await forEach(slots, (slot) => idle.close(slot))
    },
  }
  return registry
}

/** Worlds that are open, by their ids; each is opened once at a time. */
function createSlots(ports: WorldRegistryPorts, opener: WorldOpener) {
  const slots = new Map<string, Slot>()
  const idle = createIdleWorlds({ ...ports, find: (id) => slots.get(id), forget })
  let isStopped = false

  /** Another one may have its place by now. */
  function forget(slot: Slot): void {
    if (slots.get(slot.record.id) === slot) slots.delete(slot.record.id)
  }

  function open(record: WorldRecord): Slot {
    if (isStopped) throw new WorldGoneError(record)
    const slot = opener.open(record)
    slots.set(record.id, slot)
    idle.spareRested([...slots.values()])
    ports.onOpened(record)
    slot.opened.then(
      () => idle.watch(slot),
      () => {
        forget(slot)
        ports.onUnopened(record)
      },
    )
    return slot
  }

  async function use<Result>(
    record: WorldRecord,
    run: (open: OpenWorld, slot: Slot) => Promise<Result>,
  ): Promise<Result> {
    // One that is being closed is opened anew.
    for (let known = slots.get(record.id); known?.ending; known = slots.get(record.id)) await known.ending
    const slot = slots.get(record.id) ?? open(record)
    const leave = slot.enter()
    slot.calledAt = ports.realTime.now()
    // To the end of the list.
    slots.delete(record.id)
    slots.set(record.id, slot)
    try {
      return await run(slot.world ?? (await slot.opened), slot)
    } finally {
      leave()
    }
  }

  function stop(): void {
    isStopped = true
    idle.stop()
  }

  return { slots, idle, use, forget, stop }
}

async function forEach(slots: ReadonlyMap<string, Slot>, run: (slot: Slot) => Promise<void>): Promise<void> {
  await Promise.all([...slots.values()].map(run))
}

/** The same answer; calls `onEnd` when its body has ended, or nobody reads it any more. */
function withEnd(response: HttpResponse, onEnd: () => void): HttpResponse {
  const { body } = response
  if (typeof body !== 'object' || body === null) {
    onEnd()
    return response
  }
  const reader = body.getReader()
  const followed = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
        } catch (error) {
          onEnd()
          throw error
        }
        onEnd()
        controller.close()
      },
      cancel(reason) {
        onEnd()
        return reader.cancel(reason)
      },
    },
    // What is ready is kept by the stream itself.
    { highWaterMark: 0 },
  )
  return { ...response, body: followed }
}
