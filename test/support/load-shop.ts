import { createServer as createPage } from 'node:http'
import { createServer } from 'node:https'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Server } from 'node:net'
import type { TestCertificate } from './certificates.ts'

export interface LoadShop {
  /** For its URL in a configuration, and for its page of effects. */
  readonly url: string
  readonly effects: string
  close(): void
}

/** What a shop does about the payment with this number, from 1. */
export interface Habit {
  /** What it answers; 204 if left out. */
  readonly status?: (number: number) => number
  /** How often it releases the goods; once if left out. */
  readonly releases?: (number: number) => number
}

/** A shop that believes what it is told of transactions, and counts in memory. */
export async function openLoadShop(
  { cert, key }: Pick<TestCertificate, 'cert' | 'key'>,
  { status = () => 204, releases = () => 1 }: Habit = {},
): Promise<LoadShop> {
  const effects = new Map<string, number>()
  let count = 0
  const server = createServer({ cert, key }, (request, response) => {
    void text(request).then((body) => {
      const { transactions } = JSON.parse(body)
      // The test POST.
      if (transactions === undefined) return response.writeHead(204).end()
      const number = ++count
      const code = status(number)
      if (code === 204) effects.set(transactions.id, (effects.get(transactions.id) ?? 0) + releases(number))
      return response.writeHead(code).end()
    })
  })
  const page = createPage((request, response) => {
    const id = (request.url ?? '').split('/').at(-1) ?? ''
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ effects: effects.get(id) ?? 0, state: null }))
  })
  const [port, pagePort] = [await listen(server), await listen(page)]
  return {
    url: `https://localhost:${port}/notifications/{object_type}`,
    effects: `http://127.0.0.1:${pagePort}/effects/{object_type}/{id}`,
    close() {
      for (const each of [server, page]) {
        each.close()
        each.closeAllConnections()
      }
    },
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
