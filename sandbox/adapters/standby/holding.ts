import { clearInterval, setInterval } from 'node:timers'
import { setTimeout as pause } from 'node:timers/promises'
import { StorageError } from '../../engine/state/storage-error.ts'
import type { Postgres } from './postgres.ts'
import { appendChangeset, releaseLease, renewLease, type LeaseRow, type Taking } from './rows.ts'

export type Holding = ReturnType<typeof createHolding>

/** How often in the time of a lease its end is looked for. */
const LOOKS = 20
/** An idle holder extends the lease when less than this share of its time is left. */
const DUE_SHARE = 2 / 3
const PAUSE_MS = 50

// As they are now: fake timers of a test are not for the sandbox.
const { performance } = globalThis

/** Returns the lease while this process has it. `sentAt`: when the statement was sent that took it, by `performance.now()`. */
export function createHolding(db: Postgres, taken: LeaseRow, taking: Taking & { readonly sentAt: number }) {
  const state = createState(taking, () => void renew())
  let { epoch, position } = taken

  async function renew(): Promise<LeaseRow | undefined> {
    const found = await state.extending(() => renewLease(db, taking))
    if (found) epoch = Math.max(epoch, found.epoch)
    else if (!state.trouble) state.lose(new StorageError('away', TAKEN))
    return found
  }

  /** Returns what PostgreSQL has, after a statement whose outcome is unknown; undefined if the lease is lost. */
  async function settle(): Promise<LeaseRow | undefined> {
    for (;;) {
      const found = await renew()
      if (found || state.problem) return found
      await pause(PAUSE_MS)
    }
  }

  return {
    /** Resolves when this process may not serve any more, with the reason. */
    lost: state.lost,
    /** Gives up, to load everything again. */
    lose: state.lose,
    /** Why it may not; undefined while it may. */
    get problem() {
      return state.problem
    },
    /** Why PostgreSQL takes nothing at present, while the lease lasts. */
    get trouble() {
      return state.trouble
    },
    /** What PostgreSQL has. */
    fence: () => ({ epoch, position }),
    /** Resolves when PostgreSQL has committed the changeset. Rejects when the lease is lost. One call at a time. */
    async append(bytes: Uint8Array): Promise<void> {
      while (!state.problem) {
        const fence = { epoch, position, leaseMs: taking.leaseMs }
        const isDone = await state.extending(() => appendChangeset(db, fence, bytes))
        const found = isDone === true ? { position: position + 1 } : await settle()
        if (found?.position === position + 1) {
          position++
          return
        }
        // Nobody was answered yet, so the same changeset is sent again.
        if (found && found.position !== position) state.lose(behindError(found.position, position))
      }
      throw state.problem
    },
    /** Gives the lease back. Never rejects: it ends by itself. */
    async release(): Promise<void> {
      state.lose(new StorageError('away', 'The process is being stopped'))
      await releaseLease(db, taking).catch(() => {})
    },
  }
}

/**
 * Until when the lease is held, and why it is not. This process regards it as lost earlier than PostgreSQL does: it counts from when
 * a statement was sent, by a clock that nobody sets.
 */
function createState(
  { leaseMs, sentAt }: Pick<Taking, 'leaseMs'> & { readonly sentAt: number },
  onDue: () => void,
) {
  const lost = Promise.withResolvers<StorageError>()
  let heldUntil = sentAt + leaseMs
  let problem: StorageError | undefined
  let trouble: StorageError | undefined
  let underWay = 0

  function lose(error: StorageError): void {
    problem ??= error
    clearInterval(timer)
    lost.resolve(problem)
  }

  function look(): void {
    const leftMs = heldUntil - performance.now()
    if (leftMs <= 0) lose(trouble ?? new StorageError('away', LATE))
    else if (underWay === 0 && leftMs < leaseMs * DUE_SHARE) onDue()
  }

  const timer = setInterval(look, leaseMs / LOOKS).unref()
  return {
    lost: lost.promise,
    lose,
    get problem() {
      look()
      return problem
    },
    get trouble() {
      return trouble
    },
    /** Runs a statement that extends the lease if it returns something. Returns undefined, and notes the trouble, if it fails. */
    async extending<Result>(statement: () => Promise<Result>): Promise<Result | undefined> {
      const at = performance.now()
      underWay++
      try {
        const result = await statement()
        trouble = undefined
        if (result) heldUntil = Math.max(heldUntil, at + leaseMs)
        return result
      } catch (error) {
        if (!(error instanceof StorageError)) throw error
        trouble = error
        return undefined
      } finally {
        underWay--
      }
    },
  }
}

const TAKEN = 'Cannot continue: another process has taken the lease in PostgreSQL'
const LATE = 'Cannot continue: PostgreSQL did not extend the lease in time'

/** Changes are missing that were acknowledged. */
function behindError(found: number, known: number): StorageError {
  return new StorageError(
    'away',
    `Cannot continue: PostgreSQL has ${found} changesets and had confirmed ${known}. Was a replica without the last ones promoted?`,
  )
}
