import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import * as fc from 'fast-check'
import { keepSeed } from '../results.ts'
import { type HostileRequest, hostileRequests, type ListenerName } from './requests.ts'
import type { Snapshot } from '../../../spec/generated/control-types.ts'
import type { ListenPlace } from '../../../sandbox/adapters/listen-place.ts'
import { longestTurnMs } from '../../support/longest-turn.ts'
import { openStoredSandbox } from '../../support/stored-sandbox.ts'

const LISTENERS: readonly ListenerName[] = ['service', 'bench']

const LONGEST_TURN_MS = 100

export interface Tried {
  readonly refused: number
  readonly longestTurnMs: number
  readonly failures: readonly string[]
}

/** Returns the request for a case. The same case number gives the same request. */
export function hostileRequest(listener: ListenerName, number: number): HostileRequest {
  const [request] = fc.sample(hostileRequests(listener), { seed: number, numRuns: 1 })
  if (request) return request
  throw new Error('Nothing was drawn')
}

const BEYOND = { address: '127.0.0.1', allowedHosts: ['hookbench.test'] }

const BEYOND_EVERY = 4

export async function tryCases(numbers: readonly number[]): Promise<Tried> {
  const onLoopback = await openTarget()
  const beyond = await openTarget(BEYOND)
  const failures: string[] = []
  let [refused, longest] = [0, 0]
  try {
    for (const number of numbers) {
      const target = number % BEYOND_EVERY === 0 ? beyond : onLoopback
      for (const listener of LISTENERS) {
        const outcome = await sendCase(target, listener, hostileRequest(listener, number))
        if (outcome.status !== null && outcome.status >= 400) refused++
        longest = Math.max(longest, outcome.longestTurnMs)
        const harm = findHarm(outcome)
        if (harm !== undefined) {
          keepSeed('hostile', number)
          failures.push(`npm run proof -- hostile --from ${number} --cases 1: ${listener}: ${harm}`)
        }
        if (outcome.hasChanged) await target.restore()
      }
    }
  } finally {
    await onLoopback.close()
    await beyond.close()
  }
  return { refused, longestTurnMs: longest, failures }
}

/**
 * Sends a request. Sends the request again if it seems to block the sandbox. Garbage collection can block the sandbox once, but
 * not twice.
 */
async function sendCase(target: Target, listener: ListenerName, request: HostileRequest): Promise<Outcome> {
  const first = await target.send(listener, request)
  const isSlow = first.longestTurnMs > LONGEST_TURN_MS
  if (!isSlow || findHarm({ ...first, longestTurnMs: 0 }) !== undefined) return first
  if (first.hasChanged) await target.restore()
  return target.send(listener, request)
}

function findHarm({ status, hasChanged, longestTurnMs: turnMs, errors }: Outcome): string | undefined {
  if (errors.length > 0) return `the sandbox failed: ${errors.join('; ')}`
  if (status !== null && status >= 500) return `it answered ${status}`
  if (hasChanged && (status === null || status >= 400))
    return `it answered ${status ?? 'nothing'}, and the store changed`
  return turnMs > LONGEST_TURN_MS ? `everybody waited ${Math.round(turnMs)} ms` : undefined
}

interface Outcome {
  /** The status of the response. Null if the connection was closed without a response. */
  readonly status: number | null
  readonly hasChanged: boolean
  readonly longestTurnMs: number
  readonly errors: readonly string[]
}

/** A sandbox with a file store and every kind of data. */
interface Target {
  send(listener: ListenerName, request: HostileRequest): Promise<Outcome>
  restore(): Promise<void>
  close(): Promise<void>
}

const TOKEN = 'a-token-of-the-proof'

async function openTarget(listenAt?: ListenPlace): Promise<Target> {
  const sandbox = await openStoredSandbox({ benchToken: TOKEN, listenAt })
  const { perform, store, errors } = sandbox
  for (const kind of ['card-payin', 'bpay-payin'])
    await perform('playPayment', { body: { kind, pace: 'stepwise' } })
  await perform('addFault', { body: { on: 'delivery', kind: 'duplicate' } })
  await perform('setReadings', { body: { 'retry-window': 'five-attempts' } })
  await sandbox.idle()
  const world: Snapshot = await perform('getSnapshot')
  const urls = { service: new URL(sandbox.serviceUrl), bench: new URL(sandbox.benchUrl) }
  const serviceToken = await sandbox.grant()

  async function digest(): Promise<string> {
    const hash = createHash('sha256').update(JSON.stringify(await perform('getClock')))
    for (const { head, body } of store.entries()) hash.update(JSON.stringify([head, body]))
    return hash.digest('hex')
  }

  return {
    async send(listener, { head, body, isEnded }) {
      const before = await digest()
      errors.length = 0
      const text = head
        .replaceAll('HOST', urls[listener].host)
        .replaceAll('TOKEN', listener === 'bench' ? TOKEN : serviceToken)
      const bytes = Buffer.concat([Buffer.from(text, 'latin1'), body])
      let status: number | null = null
      const longest = await longestTurnMs(async () => {
        status = await exchange(urls[listener], bytes, isEnded)
        await sandbox.idle()
      })
      return { status, hasChanged: (await digest()) !== before, longestTurnMs: longest, errors: [...errors] }
    },
    async restore() {
      await perform('putSnapshot', { body: world })
    },
    close: sandbox.close,
  }
}

/** Returns the status after the connection has closed. Returns null if no response arrived. */
function exchange({ port, protocol }: URL, bytes: Buffer, isEnded: boolean): Promise<number | null> {
  return new Promise((resolve) => {
    const place = { port: Number(port), host: '127.0.0.1' }
    const socket =
      protocol === 'https:' ? connectSecurely({ ...place, rejectUnauthorized: false }) : connect(place)
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString('latin1')
      // An event stream never ends by itself.
      if (/^content-type: text\/event-stream/im.test(answer)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(/^HTTP\/1\.1 \d{3}/.test(answer) ? Number(answer.slice(9, 12)) : null))
    if (isEnded) socket.end(bytes)
    else socket.write(bytes)
  })
}
