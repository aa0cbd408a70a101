import { onRequest, type Serve } from '../../support/scripted-server.ts'
import type { FaultRow } from './row.ts'

type Open = FaultRow['open']

export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
export const EMPTY = '\r\nContent-Length: 0\r\n\r\n'

/** A receiver that does this on each connection. */
export const serving =
  (serve: Serve): Open =>
  (stage) =>
    stage.serve(serve)

/** Answers each request with these bytes, and leaves the connection open. */
export const saying = (bytes: string | Buffer): Open =>
  serving(onRequest((socket) => socket.write(bytes, 'latin1')))

/** Answers with these bytes, and ends the connection in good order. */
export const closingAfter = (bytes: string): Open => serving(onRequest((socket) => socket.end(bytes)))

/** Cuts the connection after these bytes, in the way a crash does. */
export const resettingAfter = (bytes: string): Open =>
  serving(
    onRequest((socket, { reset }) =>
      bytes === '' ? reset() : socket.write(bytes, () => setImmediate(reset)),
    ),
  )

/** Answers with the head, and then goes on with these bytes, one at a time, for as long as the connection lasts. */
export const dripping = (head: string, bytes: string): Open =>
  serving(
    onRequest((socket) => {
      socket.write(head)
      let index = 0
      const next = () => {
        if (!socket.writable) return
        socket.write(bytes[index++ % bytes.length] ?? '')
        setTimeout(next, 10)
      }
      next()
    }),
  )
