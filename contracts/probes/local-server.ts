import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { findEffectProblems, formatValue, parseJson, toEffectState } from './effect-state.ts'
import { ProbeError, type EffectState } from '../toolkit/ports.ts'

/** Port 0 selects a free port. Throws RangeError if the port is in use. */
async function listen(server: Server, port: number) {
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) =>
      reject(
        new RangeError(
          `Cannot listen on port ${port}: ${message}. Give another port, or 0 for any free port`,
        ),
      ),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server listens on TCP
  const { port: bound } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Serves canary URLs, which record every request. Only the receiver learns the URLs. */
export async function openCanaryServer() {
  const hits: { readonly path: string; readonly authorization: string | undefined }[] = []
  const server = createServer(({ url = '', headers: { authorization } }, response) => {
    hits.push({ path: url, authorization })
    response.writeHead(204).end()
  })
  const { origin, close } = await listen(server, 0)
  return {
    canary(id: string) {
      const path = `/${id}`
      return { url: origin + path, hits: () => hits.filter((hit) => hit.path.startsWith(path)) }
    },
    close,
  }
}

/**
 * Opens a server to which the platform posts its effects. Port 0 selects a free port. If a POST about an object is invalid,
 * `probe` throws ProbeError for this object.
 */
export async function openSink(port: number) {
  const seen = new Map<string, EffectState | ProbeError>()
  const server = createServer((request, response) => {
    const answered = text(request).then((body) => {
      const problem = countEffect(body, seen)
      if (problem === undefined) return response.writeHead(204).end()
      response.writeHead(400, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ error: problem }))
    })
    // Ignores an incomplete request, and closes its connection.
    answered.catch(() => response.destroy())
  })
  const { origin, close } = await listen(server, port)
  return {
    async probe(type: string, id: string) {
      const state = seen.get(`${type}/${id}`) ?? { effects: 0, state: null }
      if (state instanceof ProbeError) throw state
      return state
    },
    sinkUrl: origin,
    close,
  }
}

const EXAMPLE =
  '{"object_type": "items", "id": "…", "state": "completed", "amount": 120000, "currency": "AUD"}'

function countEffect(body: string, seen: Map<string, EffectState | ProbeError>): string | undefined {
  const value = parseJson(body)
  const { object_type, id, ...fields }: Readonly<Record<string, unknown>> = Object(value)
  if (typeof object_type !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) {
    return `Cannot count an effect: ${formatValue(value ?? body)} names no object. Post JSON such as ${EXAMPLE}`
  }
  const key = `${object_type}/${id}`
  const before = seen.get(key)
  if (before instanceof ProbeError) return before.message
  const effect = { state: null, ...fields, effects: (before?.effects ?? 0) + 1 }
  const problems = findEffectProblems(effect)
  if (problems.length === 0) {
    seen.set(key, toEffectState(effect))
    return undefined
  }
  const message = `Cannot count the effect on ${object_type} "${id}" that was posted to effects.sink: ${problems.join('; ')}. Post JSON such as ${EXAMPLE}`
  seen.set(key, new ProbeError(message))
  return message
}

/** Returns true if a sandbox is listening on this loopback port. The promise never rejects. */
export async function isSandbox(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      // A sandbox answers foreign origins with a recognizable error code.
      headers: { origin: 'http://another.test' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { error }: { readonly error?: unknown } = Object(await answer.json())
    return Reflect.get(Object(error), 'code') === 'foreign_origin'
  } catch {
    return false
  }
}

const TIMEOUT_MS = 2_000
