import type {
  Callback,
  CallbackList,
  CallbackWrapped,
  ObjectError,
  Token,
  UnauthorizedError,
  Webhook,
  WebhookError,
  WebhookList,
} from '../../spec/generated/service-types.ts'
import { FIVE_MINUTES_MS } from './deadlines.ts'
import { createHttpCall } from './http-call.ts'
import { readJson, RefusedError, send, toPathSegment } from './requests.ts'
import type { Generation } from '../../spec/delivery.ts'

export interface RegistrationRequest {
  readonly url: string
  readonly object_type: string
  readonly description?: string
}

export interface ServiceRegistration {
  readonly id: string
  readonly registration: Webhook | Callback
}

export interface Registrations {
  /** Lists all registrations, oldest first. */
  list(): Promise<readonly ServiceRegistration[]>
  create(body: RegistrationRequest): Promise<ServiceRegistration>
  /** Changes the URL of a registration. The description of a callback does not change. Reading: callback-operations */
  pointAt(id: string, to: Omit<RegistrationRequest, 'object_type'>): Promise<ServiceRegistration>
  enable(id: string, enabled: boolean): Promise<ServiceRegistration>
  remove(id: string): Promise<void>
}

export type ServiceClient = { readonly [Each in Generation]: Registrations } & {
  /** Sets the secret for the signatures of webhooks. Reading: signature */
  setSecret(secret: string): Promise<void>
}

/** Creates a client for the service API. Trusts only the CAs in `trustedCas` for HTTPS. Defaults to the public CAs. */
export async function createServiceClient(
  url: string,
  { client_id, client_secret }: { readonly client_id: string; readonly client_secret: string },
  trustedCas: readonly string[] | undefined,
): Promise<ServiceClient> {
  const through = createHttpCall({ trustedCas, idleMs: FIVE_MINUTES_MS })
  const grant = { grant_type: 'client_credentials', scope: 'hookbench', client_id, client_secret }
  const granted = await send(`${url}/tokens`, { method: 'POST', body: grant, through })
  if (!granted.ok) {
    throw new RefusedError(`Cannot get an access token: the service answered ${granted.status}`, {
      hint: 'give the credentials of the sandbox with --client-id and --client-secret, or in HOOKBENCH_CLIENT_ID and HOOKBENCH_CLIENT_SECRET',
    })
  }
  const { access_token: token } = await readJson<Token>(granted)

  async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await send(`${url}${path}`, { method, token, body, through })
    if (response.ok) return readJson<Body>(response)
    const refusal = await readJson<Refusal>(response)
    throw new RefusedError(refusalText(response.status, refusal), {
      field: refusedField(response.status, refusal),
    })
  }
  return {
    webhooks: createRegistrations('webhooks', call),
    callbacks: createRegistrations('callbacks', call),
    setSecret: async (secret) => void (await call('POST', '/webhooks/secret_key', { secret_key: secret })),
  }
}

type Call = <Body>(method: string, path: string, body?: unknown) => Promise<Body>

function createRegistrations(generation: Generation, call: Call): Registrations {
  const path = `/${generation}`
  const pathOf = (id: string) => `${path}/${toPathSegment(id, 'id')}`
  const save = async (method: string, to: string, body: object) => {
    const reply = await call<Webhook | CallbackWrapped>(method, to, body)
    return toRegistered('callbacks' in reply ? reply.callbacks : reply)
  }
  return {
    list: () =>
      everyPage(async (page) => {
        // A list without entries can omit the key `callbacks`. Reading: empty-lists
        const { [generation]: rows = [] } = await call<Partial<WebhookList & CallbackList>>(
          'GET',
          `${path}?${page}`,
        )
        return rows.map(toRegistered)
      }),
    create: (body) => save('POST', path, body),
    pointAt: (id, { url, description }) =>
      save('PATCH', pathOf(id), generation === 'callbacks' ? { url } : { url, description }),
    enable: (id, enabled) => save('PATCH', pathOf(id), { enabled }),
    remove: async (id) => void (await call('DELETE', pathOf(id))),
  }
}

function toRegistered(registration: Webhook | Callback): ServiceRegistration {
  return { id: 'uuid' in registration ? registration.uuid : registration.id, registration }
}

/** The maximum number of entries on a page of the service API. */
const PAGE = 200

async function everyPage<Row>(readPage: (query: string) => Promise<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await readPage(`limit=${PAGE}&offset=${rows.length}`)
    rows.push(...page)
    if (page.length < PAGE) return rows
  }
}

type Refusal = Partial<WebhookError & ObjectError & UnauthorizedError>

/** Finds the rejected field. Status 409 for a webhook means that the object type is already registered. */
function refusedField(httpStatus: number, { errors = {} }: Refusal): string | undefined {
  return httpStatus === 409 ? 'object_type' : Object.keys(errors)[0]
}

function refusalText(httpStatus: number, { status, message, errors = {} }: Refusal): string {
  const reasons = message === undefined ? Object.values(errors).flat() : [message]
  return `${status ?? httpStatus}: ${reasons.join(', ') || 'the service gave no reason'}`
}
