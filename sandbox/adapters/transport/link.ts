import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** The remote end of a connection. */
export interface Target {
  /** The host name as in a URL: lower case, Punycode, IPv6 in brackets. */
  readonly hostname: string
  readonly port: number
  /** The local address to connect from. Defaults to any local address. */
  readonly from?: string | undefined
  /** The data folder for the commands in messages. Defaults to the standard data folder. */
  readonly dataFolder?: string | undefined
}

/** The state of one connection. */
export interface Link {
  phase: 'resolving' | 'connecting' | 'securing' | 'open'
  /** The socket. If the socket is destroyed, the connection ends in any phase. */
  socket: Socket | undefined
  /** The first error on the socket. A later error, such as the close, may hide the cause. */
  error: Error | undefined
  /** The time at which the host name was resolved, by `performance.now()`. */
  resolvedAt: number | undefined
  /** The time at which the remote end accepted the connection. */
  reachedAt: number | undefined
}

export type Opened = (...result: [null, TLSSocket] | [Error, null]) => void

/** Returns the name or address in the format for sockets, without brackets. */
export function bareHost({ hostname }: Pick<Target, 'hostname'>): string {
  return hostname.replace(/[[\]]/g, '')
}
