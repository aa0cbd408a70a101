import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { IssuedCertificate } from '../../../sandbox/adapters/certificate-authority.ts'

export interface Shop {
  readonly url: string
  readonly countById: ReadonlyMap<string, number>
  close(): void
}

/** Some responses are always in flight. */
const ANSWER_MS = 15

export async function openShop({ certificatePem, privateKeyPem }: IssuedCertificate): Promise<Shop> {
  const countById = new Map<string, number>()
  const server = createServer({ cert: certificatePem, key: privateKeyPem }, (request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      const id = findId(JSON.parse(text))
      if (id !== undefined) countById.set(id, (countById.get(id) ?? 0) + 1)
      setTimeout(() => response.writeHead(200).end(), ANSWER_MS)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://localhost:${port}/`,
    countById,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function findId(body: unknown): string | undefined {
  const item: unknown = Object(body).items
  const id: unknown = Object(item).id
  return typeof id === 'string' ? id : undefined
}
