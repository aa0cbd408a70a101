import { beforeAll, expect } from 'vitest'
import { duringFile } from './lifetimes.ts'
import { openStoredSandbox, type RawAnswer, rawCall, type RawRequest } from './stored-sandbox.ts'

export type Side = 'service' | 'bench'
export type Expected = number | readonly [status: number, said: string] | null

/** Paths of operations that read a JSON body. */
const PATHS: Readonly<Record<Side, string>> = { service: '/webhooks', bench: '/control/faults' }
export const JSON_TYPE = 'Content-Type: application/json'
const TOKEN = 'a-token-of-the-test'

/**
 * Options of a public listener, to which the tested rules also apply. The listener uses a loopback address, so no other machine
 * can reach it.
 */
const BEYOND = { address: '127.0.0.1', allowedHosts: ['hookbench.test'] }

export const isBeyondLoopback = process.env['HOOKBENCH_LISTENERS'] === 'beyond-loopback'

/** A request that sends the token of the listener by default. */
interface SentRequest extends Partial<RawRequest> {
  readonly authorized?: boolean
}

export function useListeners() {
  const listenAt = isBeyondLoopback ? BEYOND : undefined
  const sandbox = duringFile(() => openStoredSandbox({ benchToken: TOKEN, listenAt }))
  let serviceToken: string

  beforeAll(async () => {
    await sandbox.perform('createObject', { path: { type: 'items' }, body: {} })
    serviceToken = await sandbox.grant()
  })

  async function send(side: Side, request: SentRequest): Promise<RawAnswer> {
    const url = side === 'service' ? sandbox.serviceUrl : sandbox.benchUrl
    const token = side === 'service' ? serviceToken : TOKEN
    const { headers = [JSON_TYPE], path = PATHS[side], authorized = true, raw } = request
    return rawCall(url, {
      ...request,
      path,
      ca: sandbox.ca.certificatePem,
      headers: [...(authorized ? [`Authorization: Bearer ${token}`] : []), ...headers],
      ...(raw !== undefined && { raw: raw.replaceAll('TOKEN', token).replaceAll('PATH', path) }),
    })
  }

  const stored = () => JSON.stringify([...sandbox.store.entries()])

  async function expectRefusal(side: Side, request: SentRequest, expected: Expected): Promise<void> {
    const before = stored()
    const { status, body } = await send(side, request)
    const [wanted, said = ''] = typeof expected === 'object' && expected !== null ? expected : [expected]
    expect([status, said === '' ? said : JSON.stringify(body)]).toEqual([
      wanted,
      expect.stringContaining(said),
    ])
    expect([stored() === before, sandbox.errors.splice(0)]).toEqual([true, []])
  }

  return { send, stored, expectRefusal }
}
