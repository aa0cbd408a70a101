import { createServer } from 'node:https'

/** A receiver that answers 204 at once, in a process of its own; its certificate comes by message. */
process.once('message', ({ cert, key }: { cert: string; key: string }) => {
  const server = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(204).end())
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
  })
})
