import { createAccessTokens } from '../../../../sandbox/api/http/access-tokens.ts'
import type { HttpRequest, HttpResponse, RequestHandler } from '../../../../sandbox/engine/core/http.ts'
import type { Answer, Call, Post } from './history.ts'
import type { Exchange, HttpMessage, Outcome, Transport } from '../../../../sandbox/engine/core/ports.ts'
import { answered } from '../../../support/scripted-transport.ts'

export const TOKEN_KEY = new Uint8Array(32)

export const BENCH_TOKEN = 'bench-token'

/** The calls that a platform makes. A call to a process that has ended never gets a response. */
export interface Platform {
  service(method: string, path: string, body?: unknown): Promise<Answer>
  bench(method: string, path: string, body?: unknown): Promise<Answer>
  /**
   * Gets an access token first, so that the order of the later events is repeatable. Tokens are verified in a thread, which would
   * make the order of these events random.
   */
  signIn(): Promise<void>
}

export interface PlatformPorts {
  readonly listeners: () => { readonly service: RequestHandler; readonly bench: RequestHandler }
  readonly realNow: () => number
  readonly now: () => number
  readonly length: () => number
  readonly tick: () => number
  /** The running process. Undefined between a crash and the next start. */
  readonly incarnation: () => number | undefined
  readonly calls: Call[]
}

const LIFETIME_MS = 30 * 24 * 3_600_000

const tokenByTime = new Map<number, Promise<string>>()

/** Returns the same access token for the same time in every run. The id of the token is not random. */
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

/**
 * The reactions of a receiver to the deliveries of a notification, repeated in a cycle. A receiver with only one reaction also
 * uses this reaction for test POSTs. Receivers with several reactions accept test POSTs.
 */
export type Behaviour = readonly Reaction[]

export type Reaction = number | 'reset' | 'refused' | 'hang' | 'large'

export interface ReceiversPorts {
  readonly behaviourAtFirst: (url: string) => Behaviour
  readonly hangs: (url: string) => boolean
  readonly receive: (message: HttpMessage) => Post
  /** Schedules the function. The run chooses the order. */
  readonly later: (run: () => void) => void
  readonly after: (delayMs: number, run: () => void) => void
  readonly end: (post: Post, outcome: Outcome) => void
}

export interface Receivers {
  set(url: string, behaviour: Behaviour): void
  /** Once the process has ended, no POST arrives and no response is received. */
  transport(isAlive: () => boolean): Transport
}

const LARGE = new Uint8Array(64 * 1_024).fill(0x61)

/** Simulated receivers. The run chooses the order in which the receivers respond. */
export function createReceivers(ports: ReceiversPorts): Receivers {
  const behaviourByUrl = new Map<string, Behaviour>()
  const timesByBody = new Map<string, number>()

  function react(post: Post): Reaction {
    const { url, body } = post
    const behaviour = behaviourByUrl.get(url) ?? ports.behaviourAtFirst(url)
    if (isTestPost(post)) return (behaviour.length === 1 ? behaviour[0] : undefined) ?? 200
    if (ports.hangs(url)) return 'hang'
    const key = `${url} ${body}`
    const times = timesByBody.get(key) ?? 0
    timesByBody.set(key, times + 1)
    return behaviour[times % behaviour.length] ?? 200
  }

  return {
    set: (url, behaviour) => void behaviourByUrl.set(url, behaviour),
    transport: (isAlive) => ({
      post(message, deadlineMs) {
        const { promise, resolve } = Promise.withResolvers<Exchange>()
        if (!isAlive()) return promise
        const post = ports.receive(message)
        const reaction = react(post)
        const answer = () => {
          const outcome = toOutcome(reaction)
          ports.end(post, outcome)
          resolve({ outcome, timings: { connectedMs: 0, answeredMs: 0, totalMs: 0 }, flags: [] })
        }
        if (reaction === 'hang') ports.after(deadlineMs, answer)
        else ports.later(answer)
        return promise
      },
    }),
  }
}

export function isTestPost({ body }: Pick<Post, 'body'>): boolean {
  return body.startsWith('{"message":')
}

function toOutcome(reaction: Reaction): Outcome {
  switch (reaction) {
    case 'reset':
      return { kind: 'unanswered', reason: 'reset', message: 'The connection was reset' }
    case 'refused':
      return { kind: 'unanswered', reason: 'connect_refused', message: 'The connection was refused' }
    case 'hang':
      return { kind: 'unanswered', reason: 'header_timeout', message: 'No answer within the deadline' }
    case 'large':
      return { kind: 'answered', status: 503, headers: [['x-long', 'y'.repeat(8_000)]], body: LARGE }
    default:
      return answered(reaction)
  }
}
