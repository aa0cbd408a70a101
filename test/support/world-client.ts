import type { Event, WorldDetail } from '../../spec/generated/control-types.ts'
import type { ServedSandbox } from '../../sandbox/compose/serve-sandbox.ts'
import { decodeBody, encodeBody } from './json-bodies.ts'
import type { Answer } from './test-sandbox.ts'
import type { Walk } from './walk.ts'

export interface WorldClient {
  readonly access: WorldDetail['access']
  /** Calls the service. The first call gets an access token. */
  service(method: string, path: string, body?: unknown): Promise<Answer>
  control(method: string, path: string, body?: unknown): Promise<Answer>
  accessToken(): Promise<string>
}

interface Call {
  readonly method: string
  readonly body?: unknown
  readonly headers: Readonly<Record<string, string>>
}

type Addresses = Pick<ServedSandbox, 'serviceUrl' | 'benchUrl'>

export async function callAt(url: string, { method, body, headers }: Call): Promise<Answer> {
  const { type, text } = encodeBody(url, body)
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body: text }),
  })
  return { status: answer.status, body: await decodeBody(answer) }
}

export async function addWorld(
  { sandbox, bench }: Pick<Walk, 'sandbox' | 'bench'>,
  request: Readonly<Record<string, unknown>>,
): Promise<WorldClient> {
  const { status, body } = await bench('POST', '/worlds', request)
  if (status !== 201) throw new Error(`Cannot add a world: ${JSON.stringify(body)}`)
  return worldClient(sandbox, body.access)
}

export function worldClient(sandbox: Addresses, access: WorldClient['access']): WorldClient {
  return { access, ...callsOf(() => sandbox, access) }
}

type Credentials = Pick<WorldClient['access'], 'client_id' | 'client_secret' | 'control_token'>

export function callsOf(
  sandbox: () => Addresses,
  { client_id, client_secret, control_token }: Credentials,
): Omit<WorldClient, 'access'> {
  let token: Promise<string> | undefined
  async function grant(): Promise<string> {
    const body = { grant_type: 'client_credentials', client_id, client_secret }
    const answer = await callAt(`${sandbox().serviceUrl}/tokens`, { method: 'POST', body, headers: {} })
    return answer.body.access_token
  }
  const accessToken = () => (token ??= grant())
  return {
    accessToken,
    async service(method, path, body) {
      const headers = { authorization: `Bearer ${await accessToken()}` }
      return callAt(`${sandbox().serviceUrl}${path}`, { method, body, headers })
    },
    control: (method, path, body) =>
      callAt(`${sandbox().benchUrl}/control${path}`, {
        method,
        body,
        headers: { authorization: `Bearer ${control_token}` },
      }),
  }
}

/** Reads an event stream and checks the format of each event. */
export interface EventReader {
  take(count: number): Promise<readonly Event[]>
  cancel(): Promise<void>
}

export function eventReader({ body }: Response): EventReader {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  const read: Event[] = []
  let text = ''

  async function readMore(): Promise<void> {
    const part = await reader?.read()
    if (!part || part.done) throw new Error('The stream of events ended')
    text += decoder.decode(part.value, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    // Blocks without data, such as heartbeats, are not events.
    for (const block of blocks) if (block.includes('data: ')) read.push(eventIn(block))
  }

  return {
    async take(count) {
      while (read.length < count) await readMore()
      return read.splice(0, count)
    },
    cancel: async () => reader?.cancel(),
  }
}

function eventIn(block: string): Event {
  const [, id, type, data = ''] = /^id: (.+)\nevent: (.+)\ndata: (.+)$/.exec(block) ?? []
  const event = JSON.parse(data) as Event
  if (event.id !== id || event.type !== type) throw new Error(`The names of an event differ: ${block}`)
  return event
}
