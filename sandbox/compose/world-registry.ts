import { CUT_CONNECTION, type HttpRequest, type HttpResponse } from '../engine/core/http.ts'
import type { RealTime } from '../engine/core/ports.ts'
import type { Store } from '../engine/state/store.ts'
import { WorldGoneError, type WorldRecord } from '../engine/state/world-record.ts'
import { createIdleWorlds } from './idle-worlds.ts'
import type { OpenWorld } from './open-world.ts'
import type { Door } from './serve-options.ts'
import { closeSlot, endSlot, openDraft, openSlot, type Slot, type WorldOpening } from './world-slot.ts'

export type WorldRegistry = ReturnType<typeof createWorldRegistry>

export interface WorldRegistryOptions extends WorldOpening {
  readonly realTime: Pick<RealTime, 'after' | 'now'>
  readonly graceMs: number
  readonly idleMs: number
  readonly onOpened: (world: WorldRecord) => void
  readonly onUnopened: (world: WorldRecord) => void
  readonly onPaused: (world: WorldRecord) => void
}

/** Opens the worlds of the directory on their first use. Both `serve` and `use` throw WorldGoneError and StorageError. */
export function createWorldRegistry(options: WorldRegistryOptions) {
  const { slots, use, end, stop } = createSlots(options)
  return {
    isOpen: (id: string) => slots.get(id)?.world !== undefined,
    ids: (): readonly string[] => [...slots.keys()],
    /** Opens the world if needed, and keeps it open until `run` has resolved. */
    use,
    /** Answers in this world and opens it if needed. */
    serve: (record: WorldRecord, door: Door, request: HttpRequest): Promise<HttpResponse> =>
      use(record, async ({ assembled }, slot) => {
        const response = await assembled[door](request)
        if (slot.isCut) return CUT_CONNECTION
        const { body } = response
        if (!(body instanceof ReadableStream)) return response
        return { ...response, body: withEnd(body, slot.calls.enter()) }
      }),
    /** Opens a world for `fill` without sending. Returns its pause. */
    async fill(record: WorldRecord, store: Store, fill: (draft: OpenWorld) => Promise<void>) {
      const draft = openDraft(record, store, options)
      try {
        await fill(draft)
        return draft.assembled.standstill.read()
      } finally {
        await draft.assembled.close()
      }
    },
    /** Ends work in flight within the grace and closes the world. Does nothing for a closed one. */
    async close(id: string): Promise<void> {
      const slot = slots.get(id)
      if (slot) await end(slot, () => endSlot(slot, options.realTime.after, options.graceMs))
    },
    hangUp: () => forEach(slots, async ({ world }) => world?.assembled.hangUp()),
    /** Keeps the pause of each world at rest. */
    async closeAll(): Promise<void> {
      stop()
      await forEach(slots, async (slot) => {
        await slot.opened.catch(() => undefined)
        await end(slot, () => closeSlot(slot, slot.world?.assembled.standstill.read(), options))
      })
    },
  }
}

/** Keeps open worlds by id, the most recently used last. Parallel calls share one opening. */
function createSlots(options: WorldRegistryOptions) {
  const { realTime, onOpened, onUnopened, onPaused } = options
  const slots = new Map<string, Slot>()
  const idle = createIdleWorlds(slots, options, (slot, pause) => {
    void end(slot, () => closeSlot(slot, pause, options)).then(() => onPaused(slot.record))
  })
  let isStopped = false

  /** Another slot may have its place by now. */
  function forget(slot: Slot): void {
    if (slots.get(slot.record.id) === slot) slots.delete(slot.record.id)
  }

  function end(slot: Slot, close: () => Promise<void>): Promise<void> {
    return (slot.ending ??= close().finally(() => forget(slot)))
  }

  function open(record: WorldRecord): Slot {
    if (isStopped) throw new WorldGoneError(record)
    const slot = openSlot(record, options)
    slots.set(record.id, slot)
    idle.closeSurplus()
    onOpened(record)
    slot.opened.then(
      () => idle.watch(slot),
      () => {
        forget(slot)
        onUnopened(record)
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
    const leave = slot.calls.enter()
    slot.calledAt = realTime.now()
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

  return { slots, use, end, stop }
}

async function forEach(slots: ReadonlyMap<string, Slot>, run: (slot: Slot) => Promise<void>): Promise<void> {
  await Promise.all([...slots.values()].map(run))
}

/** Calls `onEnd` after the stream was read or dropped. */
function withEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
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
}
