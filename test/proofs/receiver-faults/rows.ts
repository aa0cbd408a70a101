import { networkInterfaces } from 'node:os'
import { ADDRESS_ROWS } from './address-rows.ts'
import { ANSWER_ROWS } from './answer-rows.ts'
import { CONNECTION_ROWS } from './connection-rows.ts'
import type { FaultRow } from './row.ts'
import { TLS_ROWS } from './tls-rows.ts'
import { URL_ROWS } from './url-rows.ts'

const ALL: readonly FaultRow[] = [
  ...CONNECTION_ROWS,
  ...ANSWER_ROWS,
  ...TLS_ROWS,
  ...ADDRESS_ROWS,
  ...URL_ROWS,
]

const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === '::1'),
)

/** Every fault of a receiver that this machine can have, in the order of the list. */
export const ROWS: readonly FaultRow[] = ALL.filter(({ ipv6 }) => hasIpv6 || ipv6 !== true)

/** What this machine lacks for the others. */
export const ROWS_NOT_RUN: readonly string[] = hasIpv6 ? [] : ['receivers at [::1]: this machine has no IPv6']
