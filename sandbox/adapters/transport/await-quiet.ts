import type { TLSSocket } from 'node:tls'

/** The longest wait for the session tickets that nearly every receiver sends after a TLS 1.3 handshake. */
const TICKETS_MS = 25
/** The wait for bytes that follow the tickets, or a TLS 1.2 handshake. */
const GRACE_MS = 1

/**
 * Waits on a new connection before the request is sent, and reports whether the receiver has already answered or closed it. An early
 * answer that is read after the request would look like a valid one.
 */
export function awaitQuiet(socket: TLSSocket, done: (found: 'quiet' | 'early' | 'closed') => void): void {
  let timer = setTimeout(finish, socket.getProtocol() === 'TLSv1.3' ? TICKETS_MS : GRACE_MS)
  function restart(): void {
    clearTimeout(timer)
    timer = setTimeout(finish, GRACE_MS)
  }
  function finish(): void {
    clearTimeout(timer)
    socket.off('session', restart)
    socket.off('close', finish)
    done(socket.readableLength > 0 ? 'early' : socket.destroyed ? 'closed' : 'quiet')
  }
  socket.once('session', restart)
  socket.once('close', finish)
}
