import { errorMessage } from '../../spec/errors.ts'
import type { RecoveryFile } from '../adapters/kept-world-place.ts'
import type { Judge, PlannedRun } from '../api/control/judge.ts'
import type { Store } from '../engine/state/store.ts'
import type { Claim, ClaimRequest } from '../../spec/generated/control-types.ts'
import { ApiError } from '../engine/core/api-error.ts'
import type { RealTime } from '../engine/core/ports.ts'
import { timestamp } from '../engine/core/timestamp.ts'

/** An error when a world cannot be restored after a run. `errors` contains this error and any error from the run. */
export class WorldLeftError extends AggregateError {
  override readonly name = 'WorldLeftError'

  constructor(causes: readonly unknown[]) {
    const failure = causes.at(-1)
    const why = errorMessage(failure)
    super(
      causes,
      `Cannot restore the world to its state before the run: ${why}. The sandbox keeps a snapshot of that state. The sandbox restores the world when the disk has space, when the next run begins, or at the next start of the sandbox. Changes until the restore are lost`,
    )
  }
}

export interface RecoveryPorts {
  readonly file: RecoveryFile
  readonly snapshots: {
    read(): AsyncIterable<Uint8Array>
    putBack(pieces: AsyncIterable<Uint8Array>): Promise<void>
  }
  readonly store: Pick<Store, 'length' | 'onProblem'>
  readonly onError: (where: string, error: unknown) => void
}

/** Wraps a judge so that each check run or rehearsal restores its world. Without `ports`, a crash during a run loses the world. */
export function withWorldRecovery(judge: Judge, ports: RecoveryPorts | undefined): Judge {
  if (!ports) return judge
  const keepWorld = ({ about, run }: PlannedRun): PlannedRun => ({
    about,
    async run(runPorts) {
      await recoverWorld(ports)
      await keepWhole(ports)
      const [ended] = await Promise.allSettled([run(runPorts)])
      const causes = ended.status === 'rejected' ? [ended.reason] : []
      await recoverWorld(ports).catch((failure: unknown) => {
        recoverLater(ports)
        throw new WorldLeftError([...causes, failure])
      })
      if (ended.status === 'rejected') throw ended.reason
      return ended.value
    },
  })
  return {
    checks: judge.checks,
    preview: judge.preview,
    rehearse: async (request, sandbox) => keepWorld(await judge.rehearse(request, sandbox)),
    check: async (request, sandbox) => keepWorld(await judge.check(request, sandbox)),
  }
}

const MAX_COPIES = 5

/** Saves the world. Repeats the save if a change arrived meanwhile, so that the copy has every acknowledged change. */
async function keepWhole({ file, snapshots, store }: RecoveryPorts): Promise<void> {
  for (let copies = 0; copies < MAX_COPIES; copies++) {
    const length = store.length
    await file.keep(snapshots.read())
    if (store.length === length) return
  }
  file.forget()
  throw new Error(
    'Cannot begin: the world keeps changing. Wait with "npx hookbench settle" until no work is due',
  )
}

function recoverLater(ports: RecoveryPorts): void {
  const unsubscribe = ports.store.onProblem((problem) => {
    if (problem) return
    unsubscribe()
    recoverWorld(ports).catch((error: unknown) => ports.onError(LEFT_WORLD, error))
  })
}

export const LEFT_WORLD = 'the world that a run of checks did not restore'

/** Restores the saved snapshot and deletes its file. If the snapshot is rejected, throws an error and does not delete the file. */
export async function recoverWorld({
  file,
  snapshots,
}: Pick<RecoveryPorts, 'file' | 'snapshots'>): Promise<void> {
  const pieces = file.read()
  if (!pieces) return
  await snapshots.putBack(pieces)
  file.forget()
}

/** The time after which a claim expires if the run does not extend it, in milliseconds. This frees the world if a run is killed. */
const CLAIMED_MS = 15_000

interface HeldClaim {
  readonly id: string
  readonly by: string
  readonly since: string
  /** The time when the claim expires, in milliseconds on a monotonic clock. */
  readonly until: number
}

/** Creates functions that reserve the world for a run here or in another process. */
export function createWorldUse({ now, elapsed }: Pick<RealTime, 'now' | 'elapsed'>) {
  let isRunning = false
  let held: HeldClaim | undefined

  function current(): HeldClaim | undefined {
    if (held && held.until <= elapsed()) held = undefined
    return held
  }

  const toClaim = ({ id, by, since, until }: HeldClaim): Claim => ({
    id,
    by,
    since,
    lapses_at: timestamp(now() + until - elapsed()),
  })

  return {
    isUsed: () => isRunning || current() !== undefined,
    claimed(): Claim | undefined {
      const claim = current()
      return claim && toClaim(claim)
    },
    /** Starts a run. Returns the function that ends the run. Throws ApiError `conflict` if the world is in use. */
    begin(): () => void {
      refuseUsed(isRunning, current())
      isRunning = true
      return () => {
        isRunning = false
      }
    },
    /** Claims the world, or extends the claim with this id. Throws ApiError `conflict` if the world is in use. */
    claim(id: string, { by }: ClaimRequest): Claim {
      const own = current()?.id === id ? held : undefined
      if (!own) refuseUsed(isRunning, current())
      held = { id, by, since: own?.since ?? timestamp(now()), until: elapsed() + CLAIMED_MS }
      return toClaim(held)
    },
    /** Ends a claim. Throws ApiError `not-found` for an unknown id. */
    release(id: string): Claim {
      const own = current()
      if (own?.id !== id)
        throw new ApiError('not-found', { field: 'id', message: `Cannot find claim "${id}"` })
      held = undefined
      return toClaim(own)
    },
  }
}

function refuseUsed(isRunning: boolean, claim: HeldClaim | undefined): void {
  const code = 'run_under_way'
  if (isRunning) {
    const message = 'Cannot begin: another rehearsal or run of checks is in progress'
    throw new ApiError('conflict', { code, message, hint: 'wait for that run, or stop it' })
  }
  if (!claim) return
  throw new ApiError('conflict', {
    code,
    message: `Cannot begin: ${claim.by} has used this world since ${claim.since}`,
    hint: `wait for that run, or ${CLAIMED_MS / 1_000} seconds if it was killed`,
  })
}
