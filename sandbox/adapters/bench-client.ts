import type {
  Advanced,
  ControlError,
  Health,
  JobDetail,
  JobPage,
  ObjectRecord,
} from '../../spec/generated/control-types.ts'
import type { Token, Webhook, WebhookError, WebhookList } from '../../spec/generated/service-types.ts'
import { VERSION } from '../version.ts'
import { readBenchToken, readRun } from './data-folder.ts'

/** Where a running sandbox's bench listens, and what opens it. */
export interface BenchAddress {
  readonly url: string
  readonly token: string
}

/** Nothing answers where the sandbox should be. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** The sandbox answered that it will not. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

/** The bench that the environment names, or else that runs on the data folder. Throws UnreachableError with the remedy. */
export function findBench(folder: string, env: NodeJS.ProcessEnv): BenchAddress {
  const { HOOKBENCH_URL: url, HOOKBENCH_TOKEN: token } = env
  if (url !== undefined)
    return { url: url.replace(/\/$/, ''), token: token ?? readBenchToken({ path: folder }) ?? '' }
  const run = readRun({ path: folder })
  if (!run) {
    throw new UnreachableError(
      `Cannot find a sandbox: none runs on data folder "${folder}"; start one with "hookbench up", name its folder with --data, or set HOOKBENCH_URL and HOOKBENCH_TOKEN`,
    )
  }
  return { url: run.bench_url, token: token ?? readBenchToken({ path: folder }) ?? '' }
}

/** The control API of a running sandbox. */
export interface BenchClient {
  health(): Promise<Health>
  advance(request: { by: string } | { to: string }): Promise<Advanced>
  create(type: string, fields: object): Promise<ObjectRecord>
  change(type: string, id: string, fields: object): Promise<ObjectRecord>
  jobs(query: Readonly<Record<string, string>>): Promise<JobPage>
  job(id: string): Promise<JobDetail>
}

export function createBenchClient({ url, token }: BenchAddress): BenchClient {
  async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await send(`${url}/control${path}`, { method, token, body })
    if (response.ok) return read<Body>(response)
    const { error } = await read<Partial<ControlError>>(response)
    throw new RefusedError(error?.message ?? `The sandbox answered ${response.status}`, error?.hint)
  }
  const segment = encodeURIComponent
  return {
    health: () => call('GET', '/health'),
    advance: (request) => call('POST', '/clock/advance', request),
    create: (type, fields) => call('POST', `/objects/${segment(type)}`, fields),
    change: (type, id, fields) => call('PATCH', `/objects/${segment(type)}/${segment(id)}`, fields),
    jobs: (query) => call('GET', `/jobs?${new URLSearchParams(query).toString()}`),
    job: (id) => call('GET', `/jobs/${segment(id)}`),
  }
}

/** The webhook operations of the service, as a platform calls them. */
export interface ServiceClient {
  createWebhook(body: { url: string; object_type: string; description?: string }): Promise<Webhook>
  updateWebhook(uuid: string, body: { url: string }): Promise<Webhook>
  webhooks(): Promise<readonly Webhook[]>
}

export async function createServiceClient(
  url: string,
  credentials: { readonly client_id: string; readonly client_secret: string },
): Promise<ServiceClient> {
  const grant = { grant_type: 'client_credentials', scope: 'hookbench', ...credentials }
  const granted = await send(`${url}/tokens`, { method: 'POST', body: grant })
  if (!granted.ok)
    throw new RefusedError(`Cannot get an access token: the service answered ${granted.status}`)
  const { access_token: token } = await read<Token>(granted)

  async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await send(`${url}${path}`, { method, token, body })
    if (response.ok) return read<Body>(response)
    const { status, message } = await read<Partial<WebhookError>>(response)
    throw new RefusedError(`${status ?? response.status}: ${message ?? 'the service gave no reason'}`)
  }
  return {
    createWebhook: (body) => call('POST', '/webhooks', body),
    updateWebhook: (uuid, body) => call('PATCH', `/webhooks/${uuid}`, body),
    webhooks: async () => (await call<WebhookList>('GET', '/webhooks?limit=200')).webhooks,
  }
}

interface Sent {
  readonly method: string
  readonly token?: string
  readonly body?: unknown
}

async function send(url: string, { method, token, body }: Sent): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      headers: {
        'user-agent': `hookbench/${VERSION}`,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch (cause) {
    const { origin } = new URL(url)
    throw new UnreachableError(
      `Cannot reach the sandbox at ${origin}: nothing answers; start it with "hookbench up"`,
      {
        cause,
      },
    )
  }
}

async function read<Body>(response: Response): Promise<Body> {
  return (await response.json()) as Body
}
