import { createServer } from 'node:https'
import { answerAsks } from './answer-asks.ts'

interface Beginning {
  readonly cert: string
  readonly key: string
  /** Under `/failing`, one in `oneIn` deliveries succeeds. */
  readonly oneIn?: number
}

/**
 * The state of the receiver, which responds with 204 by default. Under `/failing`, most responses have status 500. Under
 * `/hanging`, the receiver never responds. The receiver records arrivals when asked to.
 */
let seen = 0
let oneIn = 100
let isNoting = false
let arrivals: (readonly [id: string, at: number])[] = []

function listen({ cert, key }: Beginning): Promise<{ port: number }> {
  const server = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => isNoting && chunks.push(chunk))
    request.on('end', () => {
      if (isNoting) note(Buffer.concat(chunks).toString())
      if (request.url?.startsWith('/hanging') === true) return
      const isFailing = request.url?.startsWith('/failing') === true && ++seen % oneIn !== 0
      response.writeHead(isFailing ? 500 : 204).end()
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({ port: typeof address === 'object' && address ? address.port : 0 })
    })
  })
}

function note(body: string): void {
  const id = /"id":"?([^",]+)/.exec(body)?.[1] ?? ''
  arrivals.push([id, performance.timeOrigin + performance.now()])
}

answerAsks((ask: Beginning | 'note' | 'arrivals') => {
  if (ask === 'note') isNoting = true
  else if (ask === 'arrivals') {
    const noted = arrivals
    arrivals = []
    return noted
  } else {
    oneIn = ask.oneIn ?? oneIn
    return listen(ask)
  }
  return {}
})
