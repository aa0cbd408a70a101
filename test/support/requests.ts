import { expect } from 'vitest'
import { RECEIVER, testSandbox, type TestSandbox } from './test-sandbox.ts'

interface Wishes {
  readonly listener?: 'service' | 'bench'
  readonly method?: string
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array>
  /** The content type. Defaults to JSON. With an empty string, the request has no content type. */
  readonly type?: string
  /** The authorization. With an empty text, the request has no authorization header. */
  readonly authorization?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Reply {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks at any field
  readonly body: any
  readonly headers: Headers
  /** The number of stored entries and of sent messages. */
  readonly stored: number
  readonly sent: number
  readonly errors: readonly unknown[]
}

/** A reply after which nothing was stored or sent. */
export const withoutEffect = (status: number, body: unknown = expect.anything()) => ({
  status,
  body,
  stored: 0,
  sent: 0,
  errors: [],
})

export async function ask(sandbox: TestSandbox, path: string, wishes: Wishes = {}): Promise<Reply> {
  const { method = 'POST', body, type = 'application/json', headers = {} } = wishes
  const listener = wishes.listener ?? (path.startsWith('/control') ? 'bench' : 'service')
  const { authorization = `Bearer ${listener === 'bench' ? 'bench-token' : await tokenOf(sandbox)}` } = wishes
  const before = { stored: sandbox.store.length, sent: sandbox.transport.messages.length }
  const request = new Request(`http://sandbox.test${path}`, {
    method,
    headers: {
      ...(authorization === '' ? {} : { authorization }),
      ...(type === '' ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  })
  const response = await sandbox[listener](request)
  return {
    status: response.status,
    body: await response.json(),
    headers: response.headers,
    stored: sandbox.store.length - before.stored,
    sent: sandbox.transport.messages.length - before.sent,
    errors: sandbox.errors,
  }
}

/** Sends a request to a new sandbox. */
export function askFresh(path: string, wishes?: Wishes): Promise<Reply> {
  return ask(testSandbox(), path, wishes)
}

export const GRANT = {
  grant_type: 'client_credentials',
  client_id: 'sandbox',
  client_secret: 'sandbox-secret',
  scope: 'anything',
} as const

export async function tokenOf({ service }: TestSandbox): Promise<string> {
  const fields = new URLSearchParams(GRANT).toString()
  const response = await service(new Request(`http://sandbox.test/tokens?${fields}`, { method: 'POST' }))
  const { access_token } = (await response.json()) as { readonly access_token: string }
  return access_token
}

/** Registers a callback, by default for items at RECEIVER. Returns its id. */
export async function registerCallback({ call }: TestSandbox, fields: object = {}): Promise<string> {
  const { body } = await call('POST', '/callbacks', { url: RECEIVER, object_type: 'items', ...fields })
  return body.callbacks.id
}
