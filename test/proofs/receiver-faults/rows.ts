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

const [major = ''] = process.versions.node.split('.')
const seesResets = Number(major) >= 24

/** Every fault of a receiver that can be seen on this machine, in the order of the list. */
export const ROWS: readonly FaultRow[] = ALL.filter(
  ({ ipv6, sinceNode24 }) => (hasIpv6 || ipv6 !== true) && (seesResets || sinceNode24 !== true),
)

/** What the others need. */
export const ROWS_NOT_RUN: readonly string[] = [
  ...(hasIpv6 ? [] : ['receivers at [::1]: this machine has no IPv6']),
  ...(seesResets ? [] : ['resets that come right after bytes: before Node 24 they show as an end']),
]
