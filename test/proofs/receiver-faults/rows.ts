import { ADDRESS_ROWS } from './address-rows.ts'
import { ANSWER_ROWS } from './answer-rows.ts'
import { CONNECTION_ROWS } from './connection-rows.ts'
import type { FaultRow } from './row.ts'
import { TLS_ROWS } from './tls-rows.ts'
import { URL_ROWS } from './url-rows.ts'

/** Every fault of a receiver, in the order of the list. */
export const ROWS: readonly FaultRow[] = [
  ...CONNECTION_ROWS,
  ...ANSWER_ROWS,
  ...TLS_ROWS,
  ...ADDRESS_ROWS,
  ...URL_ROWS,
]
