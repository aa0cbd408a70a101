import { createSeededRandom } from '../../../../sandbox/engine/core/random.ts'
import { StorageError } from '../../../../sandbox/engine/state/log.ts'
import { createSimulatedDisk, type CrashSide, type SimulatedDisk } from './crashing-log.ts'
import type { Call, Crash, History, Listing, Post, Start, WrittenEntry } from './history.ts'
import { createIncarnation, START, type Incarnation, type Plant, type Setup } from './incarnation.ts'
import { createPlatform, type Platform } from './platform.ts'
import { createReceivers, type Receivers } from './receivers.ts'
import { createSavedWorld } from './saved-world.ts'
import { createSimulatedTime, type SimulatedTime } from './simulated-time.ts'

/** Where the process is to end during a command. */
export type CrashPoint =
  | { readonly after: 'events'; count: number }
  | { readonly after: 'writes'; count: number; readonly side: CrashSide }

/** A whole run in one process: the sandbox, its disk, its receivers, its users, and all that happens between them. */
export interface World {
  readonly history: History
  readonly platform: Platform
  readonly receivers: Pick<Receivers, 'set'>
  readonly time: SimulatedTime
  readonly disk: SimulatedDisk
  /** The sandbox as it is now; another one after each start. */
  readonly sandbox: () => Incarnation
  /** Lets everything go on until the promise is settled. `crashed` if the process ended before. */
  drive(promise: Promise<unknown>): Promise<'settled' | 'crashed'>
  /** Lets at most so many things that are under way go on. */
  goOn(most: number): Promise<void>
  /** Lets everything run that is ready, and nothing that is under way elsewhere. */
  readonly turn: () => Promise<void>
  /** Lets the disk keep all that was written. */
  flush(): Promise<void>
  /** Lets time go on until the sandbox has found room on its disk, if it had found none. */
  recover(): Promise<void>
  /** Keeps a snapshot of the world at rest, and its history so far. */
  save(): Promise<void>
  /** Restores what was saved last, or else the present world: from then on the history is the one of that moment. */
  restore(): Promise<void>
  crashAt(point: CrashPoint | undefined): void
  /** Lets so many writes find the disk full, after as many others. */
  fillDisk(writes: number, after?: number): void
  /** Ends the process as it stands. */
  crash(kind: 'killed' | 'power-lost', share: number): void
  /** Ends it in order. */
  close(): Promise<void>
  start(): Promise<void>
  /** Starts another process if the one before was cut off. */
  revive(): Promise<void>
  addListing(listing: Pick<Listing, 'list' | 'of' | 'rows' | 'isExact' | 'length'>): void
  entries(): readonly WrittenEntry[]
}

/** Lets everything run that is ready. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Something under way outside the process: an answer, or the disk. */
interface Event {
  readonly kind: 'answer' | 'disk'
  readonly run: () => void
}

/** Far more than any command sets off. */
const MOST_EVENTS = 5_000

export interface WorldOptions {
  readonly plant?: Plant
  /** One in memory, if left out. */
  readonly createDisk?: typeof createSimulatedDisk
}

export function createWorld(
  setup: Setup,
  { plant = {}, createDisk = createSimulatedDisk }: WorldOptions = {},
): World {
  const random = createSeededRandom(setup.chance)
  const choose = createSeededRandom(setup.chance + 1)
  const time = createSimulatedTime(START)
  const [posts, calls, crashes, starts]: [Post[], Call[], Crash[], Start[]] = [[], [], [], []]
  const [listings, errors, fullDisks]: [Listing[], string[], number[]] = [[], [], []]
  const restores: number[] = []
  const recorded = [posts, calls, crashes, starts, listings, errors, fullDisks]
  let ticks = 0
  const tick = () => ++ticks
  let events: Event[] = []
  let number = 0
  let current: Incarnation | undefined
  let crashPoint: CrashPoint | undefined
  let isCut = false

  const disk = createDisk({
    tick,
    sync: setup.slowDisk ? () => new Promise<void>((run) => events.push({ kind: 'disk', run })) : undefined,
  })
  disk.onWrite = () => {
    if (crashPoint?.after !== 'writes' || crashPoint.count-- > 0) return 'write'
    isCut = true
    return crashPoint.side
  }
  function sandbox(): Incarnation {
    if (!current) throw new Error('Cannot use the sandbox: it was not started')
    return current
  }
  const now = () => sandbox().clock.now()

  const receivers = createReceivers({
    hangs: (url) => setup.hanging !== undefined && url.includes(`/${setup.hanging}/`),
    behaviourAtFirst: (url) => setup.behaviours[Number(url.at(-1)) % setup.behaviours.length] ?? [200],
    receive({ url, body, headers }) {
      const text = Buffer.from(body).toString()
      const post: Post = { tick: tick(), at: now(), url, body: text, headers, incarnation: number }
      posts.push(post)
      return post
    },
    later: (run) => void events.push({ kind: 'answer', run }),
    after: (delayMs, run) => void time.after(delayMs, run),
    end(post, outcome) {
      post.outcome = outcome
      post.endTick = tick()
    },
  })
  const platform = createPlatform({
    listeners: () => sandbox().assembled,
    realNow: time.now,
    now,
    length: () => disk.length,
    tick,
    incarnation: () => (isCut ? undefined : number),
    calls,
  })

  /** Lets one thing go on that is under way; if none is, real time goes on. */
  function goOnOnce(): boolean {
    const [event] = events.splice(Math.floor(choose() * events.length), 1)
    if (!event) return time.goOn()
    event.run()
    return true
  }

  const savedWorld = createSavedWorld(sandbox, recorded)
  /** A full disk leaves it open what comes of an attempt, and which world is there. */
  const mayBeFull = () => disk.fullFor > 0 || sandbox().assembled.store.problem !== undefined

  function reachesCrash(): boolean {
    if (crashPoint?.after === 'events' && crashPoint.count-- <= 0) isCut = true
    return isCut
  }

  function end(kind: Crash['kind'], written: number): void {
    crashPoint = undefined
    disk.cutOff()
    crashes.push({ tick: tick(), kind, incarnation: number, kept: disk.length, written })
    events = []
    time.clear()
    current = undefined
  }

  async function drive(promise: Promise<unknown>): Promise<'settled' | 'crashed'> {
    const settled = { yet: false }
    const watched = promise.finally(() => (settled.yet = true))
    watched.catch(() => {})
    for (let count = 0; count < MOST_EVENTS; count++) {
      await turn()
      if (isCut) return 'crashed'
      if (settled.yet) {
        await watched
        return 'settled'
      }
      if (reachesCrash()) return 'crashed'
      if (!goOnOnce()) throw new Error('Nothing is under way that a call still waits for')
    }
    throw new Error(`A call did not end within ${MOST_EVENTS} events`)
  }

  async function start(): Promise<void> {
    number++
    isCut = false
    const own = number
    const isAlive = () => own === number && !isCut
    current = createIncarnation(
      setup,
      {
        log: disk.open(),
        realTime: time,
        transport: receivers.transport(isAlive),
        random,
        onError(where, error) {
          const isFull = error instanceof StorageError && error.kind === 'full'
          if (isAlive() && !isFull) errors.push(`${where}: ${String(error)}`)
        },
      },
      plant,
    )
    starts.push({ tick: tick(), incarnation: number, now: now(), length: disk.length })
    await platform.signIn()
    current.assembled.start()
  }

  return {
    history: {
      posts,
      calls,
      crashes,
      starts,
      listings,
      errors,
      fullDisks,
      restores,
      failedSyncs: disk.failedSyncs,
      checkpointReads: disk.checkpointReads,
    },
    platform,
    receivers,
    time,
    disk,
    sandbox,
    drive,
    async goOn(most) {
      for (let count = 0; count < most; count++) {
        await turn()
        if (isCut || events.length === 0) return
        goOnOnce()
      }
      await turn()
    },
    async flush() {
      for (await turn(); events.some(({ kind }) => kind === 'disk'); await turn())
        for (const event of events.splice(0)) {
          if (event.kind === 'disk') event.run()
          else events.push(event)
        }
    },
    turn,
    async recover() {
      disk.fullFor = 0
      for (let count = 0; sandbox().assembled.store.problem && count < MOST_EVENTS; count++) {
        await turn()
        goOnOnce()
      }
    },
    async save() {
      if (!mayBeFull()) await drive(savedWorld.save())
    },
    async restore() {
      if (mayBeFull()) return
      await drive(savedWorld.restore())
      restores.push(tick())
    },
    crashAt(point) {
      crashPoint = point && { ...point }
    },
    fillDisk(writes, after = 0) {
      disk.fullFor = writes
      disk.fullAfter = after
      if (writes > 0) fullDisks.push(tick())
    },
    crash(kind, share) {
      const written = disk.length
      disk.cutOff()
      if (kind === 'power-lost') disk.losePower(share)
      end(kind, written)
    },
    async close() {
      const { assembled } = sandbox()
      // What cannot be recorded as it closes is as lost as if it were killed.
      const isFull = disk.fullFor > 0 || assembled.store.problem !== undefined
      const closed = await drive(assembled.close())
      end(closed === 'settled' && !isFull ? 'closed' : 'killed', disk.length)
    },
    start,
    async revive() {
      // It may be cut off again as it starts.
      while (isCut) {
        end('killed', disk.length)
        await start()
        await turn()
      }
    },
    addListing(listing) {
      listings.push({ ...listing, tick: tick(), now: now(), realNow: time.now() })
    },
    entries: disk.entries,
  }
}
