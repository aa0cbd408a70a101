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

export interface WorldRegistry {
  isOpen(id: string): boolean
  ids(): readonly string[]
  /** Answers in this world and opens it if needed. Throws WorldGoneError and StorageError. */
  serve(world: WorldRecord, door: Door, request: HttpRequest): Promise<HttpResponse>
  /** Opens the world if needed, and keeps it open until `run` has resolved. Throws as `serve` does. */
  use<Result>(world: WorldRecord, run: (open: OpenWorld) => Promise<Result>): Promise<Result>
  /** Opens a world for `fill` without sending. Returns its pause. */
  fill(
    world: WorldRecord,
    store: Store,
    fill: (draft: OpenWorld) => Promise<void>,
  ): Promise<WorldPause | undefined>
  /** Ends work in flight within the grace and closes the world. Does nothing for a closed one. */
  close(id: string): Promise<void>
  hangUp(): Promise<void>
  closeAll(): Promise<void>
}

export interface WorldRegistryPorts extends WorldOpenerPorts {
  readonly directory: WorldOpenerPorts['directory'] & Pick<WorldDirectory, 'keepPause'>
  readonly realTime: Pick<RealTime, 'after' | 'now'>
  readonly graceMs: number
  readonly idleMs: number
  readonly onOpened: (world: WorldRecord) => void
  readonly onUnopened: (world: WorldRecord) => void
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
      slot.ending ??= endSlot(slot, ports.realTime, ports.graceMs).finally(() => forget(slot))
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

/** Keeps open worlds by id. Parallel calls share one opening. */
function createSlots(ports: WorldRegistryPorts, opener: WorldOpener) {
  const slots = new Map<string, Slot>()
  const idle = createIdleWorlds({ ...ports, find: (id) => slots.get(id), forget })
  let isStopped = false

  /** Another slot may have its place by now. */
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
    // Waits for the end of a closing world and opens it again.
    for (let known = slots.get(record.id); known?.ending; known = slots.get(record.id)) await known.ending
    const slot = slots.get(record.id) ?? open(record)
    const leave = slot.enter()
    slot.calledAt = ports.realTime.now()
    // Moves it to the end of the list.
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

/** Returns the response and calls `onEnd` after its body was read or dropped. */
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
    // The stream has its own buffer.
    { highWaterMark: 0 },
  )
  return { ...response, body: followed }
}
