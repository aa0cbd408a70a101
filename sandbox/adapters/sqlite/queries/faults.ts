import type { FaultEndHead, FaultHead, FaultUseHead } from '../../../engine/state/entries.ts'
import type { FaultState } from '../../../engine/state/fault.ts'
import type { Sql } from '../sql.ts'

/** The faults of one world, and which of them matched the next attempt of a job. */
export interface Faults {
  add(head: FaultHead, position: number): void
  end(head: FaultEndHead): void
  use(head: FaultUseHead): void
  /** In the order of adding. */
  list(): readonly FaultState[]
  /** The faults that apply to this attempt of a job; undefined if none were looked for. */
  matched(jobId: string, attempt: number): readonly FaultState[] | undefined
  /** The faults of an interrupted attempt apply to the next one. */
  carryOver(jobId: string, attempt: number): void
  forgetMatched(jobId: string): void
  /** Forgets what was read, after a rollback. */
  forget(): void
}

interface MatchedRow {
  readonly attempt: number
  readonly faults: string
}

export function createFaults(sql: Sql, world: number): Faults {
  const upsert = sql(`
    INSERT INTO faults (world, id, number, fault) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET fault = excluded.fault`)
  const remove = sql('DELETE FROM faults WHERE world = ? AND id = ?')
  const select = sql<{ fault: string }>('SELECT fault FROM faults WHERE world = ? AND id = ?')
  const selectAll = sql<{ fault: string }>('SELECT fault FROM faults WHERE world = ? ORDER BY number')
  const matches = createMatches(sql, world)
  // Every call asks, and mostly there are none.
  let list: readonly FaultState[] | undefined

  function find(id: string): FaultState | undefined {
    const row = select.get(world, id)
    return row && JSON.parse(row.fault)
  }

  function put(fault: FaultState, number: number): void {
    list = undefined
    upsert.run(world, fault.id, number, JSON.stringify(fault))
  }

  return {
    add: ({ fault, at }, position) => put({ ...fault, matched: 0, applied: 0, created_at: at }, position),
    end({ fault_id }) {
      list = undefined
      remove.run(world, fault_id)
    },
    use({ fault_id, job_id, attempt = 0, applied }) {
      const fault = find(fault_id)
      if (!fault) return
      if (job_id !== undefined) matches.add(job_id, attempt, applied ? [fault_id] : [])
      put({ ...fault, matched: fault.matched + 1, applied: fault.applied + Number(applied) }, 0)
    },
    list: () => (list ??= selectAll.all(world).map(({ fault }): FaultState => JSON.parse(fault))),
    matched: (jobId, attempt) => matches.of(jobId, attempt)?.flatMap((id) => find(id) ?? []),
    carryOver: matches.carryOver,
    forgetMatched: matches.remove,
    forget() {
      list = undefined
      matches.forget()
    },
  }
}

/** Which faults matched the next attempt of each job, by their ids. */
function createMatches(sql: Sql, world: number) {
  const put = sql(
    'INSERT OR REPLACE INTO matched_faults (world, job_id, attempt, faults) VALUES (?, ?, ?, ?)',
  )
  const select = sql<MatchedRow>('SELECT attempt, faults FROM matched_faults WHERE world = ? AND job_id = ?')
  const carry = sql(
    'UPDATE matched_faults SET attempt = attempt + 1 WHERE world = ? AND job_id = ? AND attempt = ?',
  )
  const remove = sql('DELETE FROM matched_faults WHERE world = ? AND job_id = ?')
  const selectAny = sql('SELECT 1 FROM matched_faults WHERE world = ? LIMIT 1')
  // Every attempt asks, and mostly there are none.
  let isUsed: boolean | undefined
  const hasAny = () => (isUsed ??= selectAny.get(world) !== undefined)

  function of(jobId: string, attempt: number): readonly string[] | undefined {
    const row = hasAny() ? select.get(world, jobId) : undefined
    return row?.attempt === attempt ? JSON.parse(row.faults) : undefined
  }

  return {
    of,
    add(jobId: string, attempt: number, faultIds: readonly string[]): void {
      const before = of(jobId, attempt) ?? []
      isUsed = true
      put.run(world, jobId, attempt, JSON.stringify([...before, ...faultIds]))
    },
    carryOver(jobId: string, attempt: number): void {
      if (hasAny()) carry.run(world, jobId, attempt)
    },
    remove(jobId: string): void {
      if (hasAny()) remove.run(world, jobId)
    },
    forget(): void {
      isUsed = undefined
    },
  }
}
