import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

export interface Target {
  /** As in the URL: lower case, Punycode, IPv6 in brackets. */
  readonly hostname: string
  readonly port: number
  /** The address of this machine to connect from; any if left out. */
  readonly from?: string | undefined
  /** The data folder that messages name in commands; the default one if left out. */
  readonly dataFolder?: string | undefined
}

/** The state of one connection. */
export interface Link {
  phase: 'resolving' | 'connecting' | 'securing' | 'open'
  /** Destroying it ends the connection in any phase. */
  socket: Socket | undefined
  /** The first error on the socket. A later one, such as its end, may hide the reason. */
  error: Error | undefined
  /** When the name had its addresses, on the clock of `performance.now()`. */
  resolvedAt: number | undefined
  /** When the receiver had taken the connection. */
  reachedAt: number | undefined
}

/** Gets the secured connection, or the error. */
export type Opened = (...result: [null, TLSSocket] | [Error, null]) => void

/** The name or address of a target, as sockets take it. */
export function bareHost({ hostname }: Pick<Target, 'hostname'>): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
