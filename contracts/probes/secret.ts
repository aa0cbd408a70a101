import type { RunOptions } from '../toolkit/options.ts'
import { explainNoAnswer, fetchTrusting, UsageError } from '../../sandbox/internal.ts'

interface ServiceAccess {
  /** The address of the service API. */
  readonly url: string
  readonly credentials: RunOptions['service']['credentials']
  /** PEMs of CAs for HTTPS. Defaults to the public ones. */
  readonly trusted: readonly string[]
}

/** Makes the service sign webhooks with this secret. Throws UsageError. Reading: signature */
export async function setSecret(secret: string, { url, credentials, trusted }: ServiceAccess): Promise<void> {
  const { client_id, client_secret } = credentials
  const call = trusted.length > 0 && url.startsWith('https:') ? await fetchTrusting(trusted) : fetch
  const { access_token } = await postJson(`${url}/tokens`, {
    call,
    body: { grant_type: 'client_credentials', client_id, client_secret },
    remedy: 'Give the "credentials" of the service',
  })
  await postJson(`${url}/webhooks/secret_key`, {
    call,
    body: { secret_key: secret },
    token: String(access_token),
    remedy: 'Give another "signatureSecret"',
  })
}

interface JsonPost {
  readonly call: typeof fetch
  readonly body: Readonly<Record<string, string>>
  readonly token?: string
  readonly remedy: string
}

async function postJson(url: string, { call, body, token, remedy }: JsonPost) {
  const answer = await call(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new UsageError(`Cannot have webhooks signed: ${explainNoAnswer(cause, url).reason}`, { cause })
  })
  if (answer.ok) return Object(await answer.json())
  throw new UsageError(`Cannot have webhooks signed: ${url} answered ${answer.status}. ${remedy}`)
}
