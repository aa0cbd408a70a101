import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type { Snapshot } from '../../../spec/generated/control-types.ts'
import type { ListenPlace } from '../../../sandbox/adapters/listen-place.ts'
import { longestTurnMs } from '../../support/longest-turn.ts'
import { openStoredSandbox } from '../../support/stored-sandbox.ts'
import type { HostileRequest, ListenerName } from './requests.ts'

/** What came of one request. */
export interface Outcome {
  /** Null if the connection was closed without an answer. */
  readonly status: number | null
  readonly hasChanged: boolean
  readonly longestTurnMs: number
  /** What the sandbox itself reported as failed. */
  readonly errors: readonly string[]
}

/** A sandbox on a file, with something of everything in it. */
export interface Target {
  send(listener: ListenerName, request: HostileRequest): Promise<Outcome>
  /** Goes back to the world of the beginning. */
  restore(): Promise<void>
  close(): Promise<void>
}

const TOKEN = 'a-token-of-the-proof'

/** Over HTTPS, as others reach it, where `listenAt` says so. */
export async function openTarget(listenAt?: ListenPlace): Promise<Target> {
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

  /** A hash of all that is stored, and of what the clock shows. */
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

/** Writes the bytes; the status of the answer when the connection is closed, or null. */
function exchange({ port, protocol }: URL, bytes: Buffer, isEnded: boolean): Promise<number | null> {
  return new Promise((resolve) => {
    const place = { port: Number(port), host: '127.0.0.1' }
    const socket =
      protocol === 'https:' ? connectSecurely({ ...place, rejectUnauthorized: false }) : connect(place)
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString('latin1')
      // A stream of events never ends.
      if (/^content-type: text\/event-stream/im.test(answer)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(/^HTTP\/1\.1 \d{3}/.test(answer) ? Number(answer.slice(9, 12)) : null))
    if (isEnded) socket.end(bytes)
    else socket.write(bytes)
  })
}
