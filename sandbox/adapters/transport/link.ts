import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

export interface Target {
  /** The host name as in a URL: lower case, Punycode, IPv6 in brackets. */
  readonly hostname: string
  readonly port: number
  /** The local address to connect from. Defaults to any local address. */
  readonly from?: string | undefined
  readonly dataFolder?: string | undefined
}

export interface Link {
  phase: 'resolving' | 'connecting' | 'securing' | 'open'
  socket: Socket | undefined
  /** The first error on the socket. Later errors are ignored, because they may hide the cause. */
  error: Error | undefined
  /** The time when the host name was resolved, from `performance.now()`. */
  resolvedAt: number | undefined
  reachedAt: number | undefined
}

export type Opened = (...result: [null, TLSSocket] | [Error, null]) => void

export function bareHost({ hostname }: Pick<Target, 'hostname'>): string {
  return hostname.replace(/[[\]]/g, '')
}
