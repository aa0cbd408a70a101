import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { StorageError } from '../../engine/state/storage-error.ts'
import type { Postgres } from './postgres.ts'
import { after, LEASE, type LeaseRow, type Member } from './tables.ts'

export type Holding = NonNullable<Awaited<ReturnType<typeof takeLease>>>

/** How many times the process checks the lease per lease time. */
const LOOKS = 20
/** The process extends an idle lease if less than this share of the lease time is left. */
const DUE_SHARE = 2 / 3
const PAUSE_MS = 50

const TAKE = `UPDATE hb.lease SET epoch = epoch + 1, holder = $1, member = $3, expires = ${after('$2')}
  WHERE expires < now() OR member ->> 'owner' = $4 RETURNING ${LEASE}`
/** The statement that extends the lease, even after it expired. The new epoch invalidates statements in flight. */
const RENEW = `UPDATE hb.lease SET epoch = epoch + 1, expires = ${after('$2')} WHERE holder = $1 RETURNING ${LEASE}`
/** Appends the next changeset and extends the lease. Changes nothing if the lease has another epoch or position. */
const APPEND = `WITH fence AS (
    UPDATE hb.lease SET position = position + 1, expires = ${after('$4')} WHERE epoch = $1 AND position = $2 RETURNING position
  )
  INSERT INTO hb.changesets SELECT position, $3 FROM fence RETURNING 1`
const RELEASE = "UPDATE hb.lease SET holder = NULL, member = '{}', expires = 'epoch' WHERE holder = $1"

/** Takes the lease if it has expired or belongs to an earlier run on this data folder. Otherwise, returns undefined. */
export async function takeLease(db: Postgres, member: Member, leaseMs: number) {
  const holder = randomUUID()
  const sentAt = performance.now()
  const [lease] = await db.query<LeaseRow>(TAKE, [holder, leaseMs, member, member.owner])
  if (!lease) return undefined
  let { epoch, position } = lease
  const term = createTerm(db, { leaseMs, sentAt }, () => void renew())

  async function renew(): Promise<number | undefined> {
    const [found] = await term.query<LeaseRow>(RENEW, [holder, leaseMs])
    if (found) epoch = Math.max(epoch, found.epoch)
    else if (!term.trouble) term.lose('Cannot continue: another process has taken the lease in PostgreSQL')
    return found?.position
  }

  return {
    lease,
    term,
    fence: () => ({ holder, position }),
    /** Appends a changeset. Resolves when PostgreSQL has committed it. Rejects if the lease is lost. Only one call at a time is allowed. */
    async append(bytes: Uint8Array): Promise<void> {
      const next = position + 1
      // The changeset can be sent again, because no caller has received a response that depends on it.
      while (!term.problem && position !== next) {
        const [isDone] = await term.query(APPEND, [epoch, position, bytes, leaseMs])
        const found = isDone ? next : await renew()
        if (found === undefined) await pause(PAUSE_MS)
        else if (found === next) position = next
        else if (found !== position)
          term.lose(
            `Cannot continue: PostgreSQL has ${found} changesets, but had confirmed ${position}. A replica without the last changesets may have been promoted`,
          )
      }
      if (position !== next) throw term.problem
    },
    /** Releases the lease, so that a standby can take it at once. Never rejects, because an unreleased lease expires anyway. */
    async release(): Promise<void> {
      term.lose('The process is being stopped')
      await db.query(RELEASE, [holder]).catch(() => {})
    },
  }
}

/** Counts the lease time from before each statement, so that the lease ends here before it ends in PostgreSQL. */
function createTerm(
  db: Postgres,
  { leaseMs, sentAt }: Record<'leaseMs' | 'sentAt', number>,
  renew: () => void,
) {
  const ended = Promise.withResolvers<StorageError>()
  let heldUntil = sentAt + leaseMs
  let problem: StorageError | undefined
  let underWay = 0

  function lose(reason: string): void {
    problem ??= new StorageError('away', reason)
    clearInterval(timer)
    ended.resolve(problem)
  }

  function look(): void {
    const leftMs = heldUntil - performance.now()
    if (leftMs <= 0)
      lose(term.trouble?.message ?? 'Cannot continue: PostgreSQL did not extend the lease in time')
    else if (!problem && underWay === 0 && leftMs < leaseMs * DUE_SHARE) renew()
  }

  const timer = setInterval(look, leaseMs / LOOKS).unref()
  const term = {
    ended: ended.promise,
    lose,
    /** The reason why this process must stop serving. Undefined while the process has the lease. */
    get problem() {
      look()
      return problem
    },
    /** The reason why the last statement failed. Undefined if the statement succeeded. */
    trouble: undefined as StorageError | undefined,
    /** Runs a statement. A statement that returns a row has extended the lease. After a failure, records the reason and returns no row. */
    async query<Row extends object>(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
      const at = performance.now()
      underWay++
      try {
        const rows = await db.query<Row>(sql, values)
        term.trouble = undefined
        if (rows.length > 0) heldUntil = Math.max(heldUntil, at + leaseMs)
        return rows
      } catch (error) {
        if (!(error instanceof StorageError)) throw error
        term.trouble = error
        return []
      } finally {
        underWay--
      }
    },
  }
  return term
}
