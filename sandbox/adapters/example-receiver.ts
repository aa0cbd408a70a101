import { createServer } from 'node:https'

export interface ExampleReceiver {
  readonly url: string
  close(): Promise<void>
}

export interface ExampleReceiverOptions {
  readonly certificatePem: string
  readonly privateKeyPem: string
  readonly port: number
  readonly path: string
  /** The status for a body that was received; decides what fails. */
  readonly statusFor: (body: string) => number
}

/** A receiver to watch deliveries with: it answers and forgets. No model for one that moves money. */
export function startExampleReceiver(options: ExampleReceiverOptions): Promise<ExampleReceiver> {
  const { certificatePem: cert, privateKeyPem: key, port, path, statusFor } = options
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const known = request.method === 'POST' && request.url === path
      response.writeHead(known ? statusFor(Buffer.concat(chunks).toString('utf8')) : 404).end()
    })
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const bound = typeof address === 'object' && address ? address.port : port
      resolve({ url: `https://localhost:${bound}${path}`, close: () => close(server) })
    })
  })
}

function close(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
