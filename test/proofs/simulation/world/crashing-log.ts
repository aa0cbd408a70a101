import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { StorageError, type Checkpoint, type Log } from '../../../../sandbox/engine/state/log.ts'
import type { WrittenEntry } from './history.ts'

/** The disk under a log: what is written there outlives the processes that write it. */
export interface SimulatedDisk {
  /** The log as a new process finds it. */
  open(): Log
  /** What is on it now, as it was written. */
  entries(): readonly WrittenEntry[]
  readonly length: number
  /** From now on what the process writes is lost; its reads go on. */
  cutOff(): void
  /** Loses what was not synced, but for a part of it from the beginning on. */
  losePower(share: number): void
  /** How many writes, syncs and looks whether there is room find it full. */
  fullFor: number
  /** How many writes are made before that. */
  fullAfter: number
  /** When a sync found it full: what was written before is there, and may be safe only later. */
  readonly failedSyncs: readonly number[]
  /** When a checkpoint was read. */
  readonly checkpointReads: readonly number[]
  /** Called at each write with its number, from 1: whether it is made, or where in it the process ends. */
  onWrite: (number: number) => 'write' | CrashSide
}

/** Whether a process ends before a write, in the middle of it, or right after it. */
export type CrashSide = 'before' | 'middle' | 'after'

export interface DiskOptions {
  readonly tick: () => number
  /** Waits for the disk; a disk that is always in time, if left out. */
  readonly sync?: (() => Promise<void>) | undefined
}

interface KeptEntry {
  readonly head: string
  readonly body: string
  readonly tick: number
  /** The number of the write that it came with: all of a write is kept, or nothing. */
  readonly write: number
}

interface KeptCheckpoint extends Checkpoint {
  readonly head: string | undefined
  readonly write: number
}

/** Everything that stands on the disk. */
interface KeptWorld {
  readonly kept: KeptEntry[]
  readonly checkpoints: KeptCheckpoint[]
}

export function createSimulatedDisk({ tick, sync }: DiskOptions): SimulatedDisk {
  let kept: KeptEntry[] = []
  let checkpoints: KeptCheckpoint[] = []
  let synced = 0
  /** The entries from here on were under way when a sync failed: the disk forgets them, and no later sync covers them. */
  let forgottenFrom = Infinity
  /** The world that a loss of power brings back, until the sync after everything was replaced. */
  let replaced: KeptWorld | undefined
  let writes = 0
  let process = 0
  const failedSyncs: number[] = []
  const checkpointReads: number[] = []

  const disk: SimulatedDisk = {
    fullFor: 0,
    fullAfter: 0,
    failedSyncs,
    checkpointReads,
    onWrite: () => 'write',
    get length() {
      return kept.length
    },
    entries: () =>
      kept.map(({ head, body, tick: at }, index) => ({
        head: JSON.parse(head),
        body,
        position: index + 1,
        tick: at,
      })),
    cutOff() {
      process++
    },
    losePower(share) {
      if (replaced && share < 0.5) [kept, checkpoints] = [replaced.kept, replaced.checkpoints]
      if (replaced) synced = kept.length
      replaced = undefined
      const lost = kept.slice(synced)
      const writesLost = [...new Set(lost.map((entry) => entry.write))]
      const last = writesLost[Math.floor(share * (writesLost.length + 1)) - 1] ?? -1
      kept = [...kept.slice(0, synced), ...lost.filter((entry) => entry.write <= last)]
      checkpoints = checkpoints.filter(({ write, position }) => write <= last || position <= synced)
      synced = kept.length
      forgottenFrom = Infinity
    },
    open() {
      process++
      // What the next process finds it takes for kept, though the disk may have forgotten it: only a process that sees the failure knows.
      forgottenFrom = Infinity
      return openLog(process)
    },
  }

  function keep(texts: readonly Pick<KeptEntry, 'head' | 'body'>[]): void {
    writes++
    const written = { tick: tick(), write: writes }
    for (const text of texts) kept.push({ ...text, ...written })
    if (!sync) synced = kept.length
  }

  function keepSynced(covered: number): void {
    synced = Math.max(synced, Math.min(covered, forgottenFrom))
    replaced = undefined
  }

  function replace(texts: readonly Pick<KeptEntry, 'head' | 'body'>[]): void {
    writes++
    replaced ??= { kept: kept.slice(0, synced), checkpoints }
    const written = { tick: tick(), write: writes }
    // An entry that stays where it was is as old as it was.
    kept = texts.map((text, index) => {
      const before = kept[index]
      const isSame = before?.head === text.head && before.body === text.body
      return { ...text, ...written, ...(isSame && { tick: before.tick }) }
    })
    checkpoints = []
    synced = 0
    if (!sync) keepSynced(kept.length)
  }

  function refuseIfFull(onFull = () => {}): void {
    if (disk.fullFor === 0) return
    if (disk.fullAfter > 0) {
      disk.fullAfter--
      return
    }
    disk.fullFor--
    onFull()
    throw new StorageError('full', 'Cannot write the simulated store: the disk is full')
  }

  function openLog(owner: number): Log {
    let heads = kept.map(({ head }) => JSON.parse(head))
    let bodies = kept.map(({ body }) => body)

    function append(entries: readonly Entry[]): void {
      if (owner === process) refuseIfFull()
      const texts = entries.map(({ head, body }) => ({ head: JSON.stringify(head), body }))
      const decision = owner === process ? disk.onWrite(writes + 1) : 'before'
      // In the middle is before: all of a write is kept, or nothing.
      if (decision === 'write' || decision === 'after') keep(texts)
      if (decision !== 'write' && owner === process) process++
      // The process itself sees it in any case.
      for (const { head, body } of texts) {
        heads.push(JSON.parse(head))
        bodies.push(body)
      }
    }

    return {
      get length() {
        return heads.length
      },
      append,
      recover() {
        if (owner !== process) return
        refuseIfFull()
        // It writes anew all that the disk may have forgotten.
        forgottenFrom = Infinity
        keepSynced(kept.length)
      },
      replace(entries) {
        const texts = entries.map(({ head, body }) => ({ head: JSON.stringify(head), body }))
        if (owner === process) replace(texts)
        heads = texts.map(({ head }) => JSON.parse(head))
        bodies = texts.map(({ body }) => body)
      },
      ...(sync && {
        async sync() {
          const [world, covered] = [kept, heads.length]
          await sync()
          if (owner !== process) return
          refuseIfFull(() => {
            failedSyncs.push(tick())
            forgottenFrom = Math.min(forgottenFrom, synced)
          })
          if (world === kept) keepSynced(covered)
        },
        syncNow() {
          if (owner === process) keepSynced(kept.length)
        },
      }),
      read(position) {
        const [head, body] = [heads[position - 1], bodies[position - 1]]
        if (head === undefined || body === undefined) throw new RangeError(`Cannot read entry ${position}`)
        return { head, body }
      },
      *heads(after = 0) {
        for (let index = after; index < heads.length; index++) yield heads[index]
      },
      keepsCheckpoints: true,
      readCheckpoint() {
        const found = checkpoints.findLast(({ position, head }) => kept[position - 1]?.head === head)
        if (found) checkpointReads.push(tick())
        return found
      },
      writeCheckpoint({ position, bytes }) {
        if (owner !== process) return
        checkpoints.push({ position, bytes, head: kept[position - 1]?.head, write: writes })
      },
      close() {},
    }
  }
  return disk
}
