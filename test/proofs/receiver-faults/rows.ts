import { hasIpv6 } from '../../support/ipv6.ts'
import { ADDRESS_ROWS, URL_ROWS } from './address-rows.ts'
import { ANSWER_ROWS } from './answer-rows.ts'
import { CONNECTION_ROWS } from './connection-rows.ts'
import type { FaultRow } from './row.ts'
import { TLS_ROWS } from './tls-rows.ts'
import { tryRow, WAYS } from './try-row.ts'

const ALL: readonly FaultRow[] = [
  ...CONNECTION_ROWS,
  ...ANSWER_ROWS,
  ...TLS_ROWS,
  ...ADDRESS_ROWS,
  ...URL_ROWS,
]

const [major = ''] = process.versions.node.split('.')

const seesResets = Number(major) >= 24

/** All receiver faults that this machine can produce, in the order of the fault list. */
export const ROWS: readonly FaultRow[] = ALL.filter(
  ({ ipv6, sinceNode24 }) => (hasIpv6 || ipv6 !== true) && (seesResets || sinceNode24 !== true),
)

/** The faults that this machine cannot produce, each with the reason. */
export const ROWS_NOT_RUN: readonly string[] = [
  ...(hasIpv6 ? [] : ['receivers at [::1]: this machine has no IPv6']),
  ...(seesResets ? [] : ['resets that come right after bytes: before Node 24 they show as an end']),
]

export interface Tried {
  readonly cases: number
  readonly failures: readonly string[]
}

/** The number of cases that run at the same time. Cases can run in parallel, because most of them only wait. */
const PARALLEL = 12

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
