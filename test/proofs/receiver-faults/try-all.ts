import type { FaultRow } from './row.ts'
import { tryRow, WAYS } from './try-row.ts'

export interface Tried {
  readonly cases: number
  /** One line for each case that failed. */
  readonly failures: readonly string[]
}

/** How many at once: most of them wait, for a deadline or for the other side. */
const PARALLEL = 12

/** Tries each row once in both ways. */
export async function tryAll(rows: readonly FaultRow[]): Promise<Tried> {
  const cases = rows.flatMap((row) => WAYS.map((way) => ({ row, way })))
  const left = [...cases]
  const failures: string[] = []

  async function work(): Promise<void> {
    for (let next = left.shift(); next; next = left.shift()) {
      const { row, way } = next
      const problems = await tryRow(row, way).catch((error: unknown) => [String(error)])
      if (problems.length > 0) failures.push(`${row.id}, ${row.what}, as ${way}: ${problems.join('; ')}`)
    }
  }

  await Promise.all(Array.from({ length: PARALLEL }, work))
  return { cases: cases.length, failures }
}
