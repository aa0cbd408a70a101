import { createAccessTokens } from '../../../../sandbox/api/http/access-tokens.ts'
import type { HttpRequest, HttpResponse, RequestHandler } from '../../../../sandbox/engine/core/http.ts'
import type { Answer, Call } from './history.ts'

export const TOKEN_KEY = new Uint8Array(32)
export const BENCH_TOKEN = 'bench-token'

/** Calls both APIs as their users do; a call whose process ends, or has ended already, is never answered. */
export interface Platform {
  service(method: string, path: string, body?: unknown): Promise<Answer>
  bench(method: string, path: string, body?: unknown): Promise<Answer>
  /** Gets a token, and has it verified: what takes a thread of its own is done before anything depends on its order. */
  signIn(): Promise<void>
}

export interface PlatformPorts {
  readonly listeners: () => { readonly service: RequestHandler; readonly bench: RequestHandler }
  readonly realNow: () => number
  readonly now: () => number
  readonly length: () => number
  readonly tick: () => number
  /** Undefined from when a process is cut off until the next one starts. */
  readonly incarnation: () => number | undefined
  readonly calls: Call[]
}

const LIFETIME_MS = 30 * 24 * 3_600_000
const tokenByTime = new Map<number, Promise<string>>()

/** The same in each run at the same time: it must draw on nothing that the run draws on. */
function issueToken(now: number): Promise<string> {
  const known = tokenByTime.get(now)
  if (known) return known
  const clock = { now: () => now, elapsed: () => 0, after: () => () => {}, soon: () => {} }
  const token = createAccessTokens(TOKEN_KEY, { realTime: clock, newId: () => 'simulated' }).issue(
    LIFETIME_MS,
  )
  if (tokenByTime.size > 1_000) tokenByTime.clear()
  tokenByTime.set(now, token)
  return token
}

export function createPlatform(ports: PlatformPorts): Platform {
  const { listeners, calls, tick, now, length } = ports
  const underWay = new Set<Call>()
  let token = ''

  async function call(listener: 'service' | 'bench', method: string, [path, body]: [string, unknown]) {
    const incarnation = ports.incarnation()
    if (incarnation === undefined) return neverAnswered()
    const made: Call = {
      tick: tick(),
      method,
      path: listener === 'bench' ? `/control${path}` : path,
      body,
      incarnation,
      lengthBefore: length(),
      overlapped: false,
    }
    calls.push(made)
    // What a crash cut off is over.
    for (const other of underWay) if (other.incarnation !== incarnation) underWay.delete(other)
    underWay.add(made)
    if (underWay.size > 1) for (const each of underWay) each.overlapped = true
    const bearer = listener === 'bench' ? BENCH_TOKEN : token
    const response = await listeners()[listener](toRequest(method, made.path, { body, bearer }))
    if (incarnation !== ports.incarnation()) return neverAnswered()
    underWay.delete(made)
    made.answer = { tick: tick(), ...readAnswer(response), length: length(), now: now() }
    return made.answer
  }

  return {
    service: (method, path, body) => call('service', method, [path, body]),
    bench: (method, path, body) => call('bench', method, [path, body]),
    async signIn() {
      token = await issueToken(ports.realNow())
      const { status } = await listeners().service(
        toRequest('GET', '/webhooks', { body: undefined, bearer: token }),
      )
      if (status !== 200) throw new Error(`Cannot sign in: ${status}`)
    },
  }
}

const neverAnswered = () => new Promise<never>(() => {})

function readAnswer({ status, body }: HttpResponse): Pick<Answer, 'status' | 'body'> {
  return { status, body: typeof body === 'string' && body !== '' ? JSON.parse(body) : null }
}

function toRequest(
  method: string,
  target: string,
  { body, bearer }: { readonly body: unknown; readonly bearer: string },
): HttpRequest {
  const [path = '', query] = target.split('?')
  const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const headers: Readonly<Record<string, string | undefined>> = {
    authorization: `Bearer ${bearer}`,
    ...(text && { 'content-type': 'application/json', 'content-length': String(text.length) }),
  }
  return {
    method,
    path,
    query: query === undefined ? '' : `?${query}`,
    header: (name) => headers[name],
    headers: () => Object.entries(headers).map(([name, value = '']) => [name, value]),
    async readBody(take) {
      if (text) take(text)
    },
    async *bodyPieces() {
      if (text) yield text
    },
    signal: () => new AbortController().signal,
  }
}
