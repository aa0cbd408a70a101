import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** The remote host and port of a connection. */
export interface Target {
  /** The host name as in a URL: lower case, Punycode, IPv6 in brackets. */
  readonly hostname: string
  readonly port: number
  /** The local address to connect from. Defaults to any local address. */
  readonly from?: string | undefined
  /** The data folder that commands in error messages name. Defaults to the standard data folder. */
  readonly dataFolder?: string | undefined
}

/** The state of one connection. */
export interface Link {
  phase: 'resolving' | 'connecting' | 'securing' | 'open'
  /** The socket. If the socket is destroyed, the connection ends in any phase. */
  socket: Socket | undefined
  /** The first error on the socket. The first error is stored, because a later error may hide the cause. */
  error: Error | undefined
  /** The time at which the host name was resolved, by `performance.now()`. */
  resolvedAt: number | undefined
  /** The time at which the remote end accepted the connection. */
  reachedAt: number | undefined
}

export type Opened = (...result: [null, TLSSocket] | [Error, null]) => void

/** Returns the host name or address without brackets, as sockets expect it. */
export function bareHost({ hostname }: Pick<Target, 'hostname'>): string {
  return hostname.replace(/[[\]]/g, '')
}
