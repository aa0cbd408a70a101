import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'

export interface ExampleReceiver {
  readonly origin: string
  close(): Promise<void>
}

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

export interface ReceiverAnswer {
  readonly status: number
  readonly json?: unknown
}

export interface ExampleReceiverOptions {
  readonly certificatePem: string
  readonly privateKeyPem: string
  readonly port: number
  readonly answer: (request: ReceivedRequest) => ReceiverAnswer
}

export function startExampleReceiver(options: ExampleReceiverOptions): Promise<ExampleReceiver> {
  const { certificatePem: cert, privateKeyPem: key, port, answer } = options
  const server = createServer({ cert, key }, (request, response) => {
    const { method = '', url: path = '' } = request
    const answered = text(request).then((body) => {
      const { status, json } = answer({ method, path, body })
      if (json === undefined) return response.writeHead(status).end()
      return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    })
    // Closes the connection of an incomplete request without a response.
    answered.catch(() => response.destroy())
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const bound = typeof address === 'object' && address ? address.port : port
      resolve({ origin: `https://localhost:${bound}`, close: () => close(server) })
    })
  })
}

function close(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
