import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** The other end of a connection. */
export interface Target {
  /** In the spelling of URLs: lower case, Punycode, IPv6 in brackets. */
  readonly hostname: string
  readonly port: number
  /** The address of this machine to connect from. Defaults to any. */
  readonly from?: string | undefined
  /** The data folder for commands in messages. Defaults to the default one. */
  readonly dataFolder?: string | undefined
}

/** The state of one connection. */
export interface Link {
  phase: 'resolving' | 'connecting' | 'securing' | 'open'
  /** Destroying it ends the connection in any phase. */
  socket: Socket | undefined
  /** The first error on the socket. A later one, such as its end, may hide the reason. */
  error: Error | undefined
  /** The time of the resolved name, on the clock of `performance.now()`. */
  resolvedAt: number | undefined
  /** The time of the accepted connection. */
  reachedAt: number | undefined
}

export type Opened = (...result: [null, TLSSocket] | [Error, null]) => void

/** Returns the name or address in the spelling of sockets. */
export function bareHost({ hostname }: Pick<Target, 'hostname'>): string {
  return hostname.replace(/[[\]]/g, '')
}
