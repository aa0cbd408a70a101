import { createSeededRandom } from '../../../../sandbox/engine/core/random.ts'
import { isTemporary, StorageError } from '../../../../sandbox/engine/state/storage-error.ts'
import {
  type CrashPoint,
  createCut,
  createSimulatedDisk,
  type DiskFailure,
  type Interruption,
  type SimulatedDisk,
} from './simulated-disk.ts'
import {
  type Call,
  type Crash,
  createUnderWay,
  type History,
  type Listing,
  type Post,
  type Replacement,
  type Start,
  turn,
  type UnderWay,
  type WrittenEntry,
} from './history.ts'
import {
  createIncarnation,
  createSavedWorld,
  createSimulatedTime,
  type Incarnation,
  type IncarnationPorts,
  type Plant,
  type Setup,
  type SimulatedTime,
  START,
  type Successor,
  tryStart,
} from './incarnation.ts'
import { createPlatform, createReceivers, type Platform, type Receivers } from './platform.ts'

/** A simulation run: a sandbox, its disk, its receivers and its users. */
export interface World extends Pick<UnderWay, 'drive' | 'goOn' | 'flush'> {
  readonly history: History
  readonly platform: Platform
  readonly receivers: Pick<Receivers, 'set'>
  readonly time: SimulatedTime
  readonly disk: SimulatedDisk
  readonly sandbox: () => Incarnation
  readonly turn: () => Promise<void>
  recover(): Promise<void>
  save(): Promise<void>
  readonly isSaved: () => boolean
  /** Replaces the world with a snapshot or with a new world. Does nothing on a bad disk. */
  replaceBy(successor: Successor, interruption?: Interruption): Promise<void>
  crashAt(point: CrashPoint | undefined): void
  spoilDisk(times: number, after?: number, failure?: DiskFailure): void
  crash(kind: 'killed' | 'power-lost', share: number): void
  close(): Promise<void>
  start(): Promise<void>
  revive(): Promise<void>
  addListing(listing: Pick<Listing, 'list' | 'of' | 'rows' | 'isExact' | 'length'>): void
  entries(): readonly WrittenEntry[]
}

export interface WorldOptions {
  readonly plant?: Plant
  /** Creates the disk. Defaults to a disk in memory. */
  readonly createDisk?: typeof createSimulatedDisk
}

export function createWorld(
  setup: Setup,
  { plant = {}, createDisk = createSimulatedDisk }: WorldOptions = {},
): World {
  const random = createSeededRandom(setup.chance)
  const choose = createSeededRandom(setup.chance + 1)
  const time = createSimulatedTime(START)
  /** The random generator's state before a replacement that a crash may undo. */
  let rewoundFrom: number | undefined
  const rewindable = Object.assign(() => random(), {
    state: random.state,
    restore(earlier: number | null) {
      rewoundFrom ??= random.state() ?? undefined
      random.restore(earlier)
    },
  })
  const [posts, calls, crashes, starts]: [Post[], Call[], Crash[], Start[]] = [[], [], [], []]
  const [listings, errors, badDisks]: [Listing[], string[], number[]] = [[], [], []]
  const replacements: Replacement[] = []
  let ticks = 0
  const tick = () => ++ticks
  let number = 0
  let current: Incarnation | undefined
  const cut = createCut()
  const underWay = createUnderWay({ time, cut, choose })
  const { drive } = underWay

  const disk = createDisk({
    tick,
    sync: setup.slowDisk ? () => new Promise<void>((run) => underWay.add({ kind: 'disk', run })) : undefined,
  })
  disk.onWrite = cut.atWrite
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
    later: (run) => underWay.add({ kind: 'answer', run }),
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
    incarnation: () => (cut.isCut ? undefined : number),
    calls,
  })

  const histories = [posts, calls, crashes, starts, listings, badDisks]
  const savedWorld = createSavedWorld({ sandbox, platform, histories })
  /** True on a bad disk, where attempts may or may not be recorded. */
  const mayFail = () => disk.failFor > 0 || sandbox().assembled.store.problem !== undefined

  function cutOff(loss: 'killed' | 'power-lost', share: number): void {
    disk.cutOff()
    if (loss === 'power-lost') disk.losePower(share)
  }

  function end(kind: Crash['kind']): void {
    cut.at(undefined)
    disk.cutOff()
    crashes.push({ tick: tick(), kind, incarnation: number, kept: disk.length })
    underWay.clear()
    time.clear()
    current = undefined
  }

  async function start(): Promise<void> {
    number++
    cut.renew()
    const own = number
    const isAlive = () => own === number && !cut.isCut
    const ports: IncarnationPorts = {
      disk,
      realTime: time,
      transport: receivers.transport(isAlive),
      random: rewindable,
      onError(where, error) {
        const isFull = error instanceof StorageError && error.kind === 'full'
        if (isAlive() && !isFull) errors.push(`${where}: ${String(error)}`)
      },
      onStorage(problem) {
        if (isAlive() && problem && !isTemporary(problem)) cut.now()
      },
    }
    while (!current) current = tryStart(() => createIncarnation(setup, ports, plant))
    starts.push({ tick: tick(), incarnation: number, now: now(), length: disk.length })
    await platform.signIn()
    current.assembled.start()
  }

  function spoilDisk(times: number, after = 0, failure: DiskFailure = 'full'): void {
    disk.failFor = times
    disk.failAfter = after
    disk.failure = failure
    if (times > 0) badDisks.push(tick())
  }

  async function recover(): Promise<void> {
    disk.failFor = 0
    await underWay.goOnWhile(() => sandbox().assembled.store.problem !== undefined)
  }

  async function replaceBy(successor: Successor, interruption?: Interruption): Promise<void> {
    if (mayFail() || (successor === 'saved' && !savedWorld.isSaved)) return
    const { world: earlier } = disk
    rewoundFrom = undefined
    if (interruption?.kind === 'crash') cut.at(interruption.point)
    if (interruption?.kind === 'bad-disk') spoilDisk(1, interruption.after, interruption.failure)
    await drive(savedWorld.replaceBy(successor)).catch((error: unknown) => {
      if (interruption?.kind !== 'bad-disk') throw error
    })
    const { loss = 'killed', share = 0 } = interruption?.kind === 'crash' ? interruption : {}
    const isCrash = interruption?.kind === 'crash' || cut.isCut
    if (isCrash) cutOff(loss, share)
    const isDone = disk.world !== earlier
    savedWorld.rewind(successor, isDone)
    if (!isDone && rewoundFrom !== undefined) random.restore(rewoundFrom)
    replacements.push({ tick: tick(), successor, isInterrupted: interruption !== undefined, isDone })
    if (interruption?.kind === 'bad-disk') badDisks.push(tick())
    if (isCrash) {
      end(loss)
      await start()
    } else if (interruption?.kind === 'bad-disk') await recover()
  }

  return {
    history: {
      posts,
      calls,
      crashes,
      starts,
      listings,
      errors,
      badDisks,
      replacements,
      failedSyncs: disk.failedSyncs,
      checkpoints: disk.checkpoints,
    },
    platform,
    receivers,
    time,
    disk,
    sandbox,
    drive,
    goOn: underWay.goOn,
    flush: underWay.flush,
    turn,
    recover,
    async save() {
      if (!mayFail()) await drive(savedWorld.save())
    },
    isSaved: () => savedWorld.isSaved,
    replaceBy,
    crashAt: cut.at,
    spoilDisk,
    crash(kind, share) {
      cutOff(kind, share)
      end(kind)
    },
    async close() {
      const { assembled } = sandbox()
      // A change that cannot be stored during the close is lost, as if the process had been killed.
      const wasBad = mayFail()
      const closed = await drive(assembled.close()).catch((error: unknown) => {
        if (error instanceof StorageError) return 'refused'
        throw error
      })
      end(closed === 'settled' && !wasBad ? 'closed' : 'killed')
    },
    start,
    async revive() {
      // The process may be killed again while it is starting.
      while (cut.isCut) {
        end('killed')
        await start()
        await turn()
      }
    },
    addListing(listing) {
      listings.push({ ...listing, tick: tick(), now: now() })
    },
    entries: disk.entries,
  }
}
