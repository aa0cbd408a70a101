import type { WorldDetail } from '../../spec/generated/control-types.ts'
import type { ServedSandbox } from '../../sandbox/compose/serve-sandbox.ts'
import type { Answer } from './walk.ts'

/** Calls to one world, with what opens it. */
export interface WorldClient {
  readonly access: WorldDetail['access']
  /** With an access token for the client id, which is asked for once. */
  service(method: string, path: string, body?: unknown): Promise<Answer>
  /** With the control token. */
  control(method: string, path: string, body?: unknown): Promise<Answer>
  accessToken(): Promise<string>
}

interface Call {
  readonly method: string
  readonly body?: unknown
  readonly headers: Readonly<Record<string, string>>
}

type Addresses = Pick<ServedSandbox, 'serviceUrl' | 'benchUrl'>

/** One call with exactly these headers. */
export async function callAt(url: string, { method, body, headers }: Call): Promise<Answer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(url, { method, headers: { ...headers, ...type }, ...sent })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Adds a world by the token of the run. Throws what it is refused for. */
export async function addWorld(
  sandbox: Addresses,
  rootToken: string,
  request: Readonly<Record<string, unknown>>,
): Promise<WorldClient> {
  const headers = { authorization: `Bearer ${rootToken}` }
  const { status, body } = await callAt(`${sandbox.benchUrl}/control/worlds`, {
    method: 'POST',
    body: request,
    headers,
  })
  if (status !== 201) throw new Error(`Cannot add a world: ${JSON.stringify(body)}`)
  return worldClient(sandbox, body.access)
}

export function worldClient(sandbox: Addresses, access: WorldClient['access']): WorldClient {
  const { client_id, client_secret, control_token } = access
  let token: Promise<string> | undefined
  async function grant(): Promise<string> {
    const body = { grant_type: 'client_credentials', client_id, client_secret }
    const answer = await callAt(`${sandbox.serviceUrl}/tokens`, { method: 'POST', body, headers: {} })
    return answer.body.access_token
  }
  const accessToken = () => (token ??= grant())
  return {
    access,
    accessToken,
    async service(method, path, body) {
      const headers = { authorization: `Bearer ${await accessToken()}` }
      return callAt(`${sandbox.serviceUrl}${path}`, { method, body, headers })
    },
    control: (method, path, body) =>
      callAt(`${sandbox.benchUrl}/control${path}`, {
        method,
        body,
        headers: { authorization: `Bearer ${control_token}` },
      }),
  }
}
