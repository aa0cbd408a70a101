import type { Token } from '../../spec/generated/service-types.ts'
import type { Context } from '../api/operations/operation.ts'
import type { ReceiverRow } from './receivers.ts'

export interface Registering {
  readonly origin: string
  readonly fetch: (request: Request) => Promise<Response>
  readonly context: Pick<Context, 'credentials' | 'view'>
}

/** What is to be registered, and where it listens. */
export interface Place extends Omit<ReceiverRow, 'receive'> {
  readonly url: string
}

/** Registers as a platform does: a token, then each registration, or its new URL, with the test POST. */
export async function registerAll(places: readonly Place[], service: Registering): Promise<void> {
  if (places.length === 0) return
  const { client_id, client_secret } = service.context.credentials
  const grant = { grant_type: 'client_credentials', client_id, client_secret }
  const granted = await call(service, { method: 'POST', path: '/tokens', fields: grant })
  const { access_token: token }: Partial<Token> = JSON.parse(await granted.text())
  for (const place of places) await register(place, service, token)
}

async function register(
  { generation, object_type, url }: Place,
  service: Registering,
  token: string | undefined,
): Promise<void> {
  // A store that was used before has the registration of the test before.
  const present = service.context.view
    .registrations(generation)
    .find((known) => known.enabled && known.object_type === object_type)
  const registered = present
    ? await call(service, { method: 'PATCH', path: `/${generation}/${present.id}`, fields: { url }, token })
    : await call(service, { method: 'POST', path: `/${generation}`, fields: { url, object_type }, token })
  if (registered.ok) return
  const whose = generation === 'callbacks' ? `the callbacks of ${object_type}` : object_type
  throw new Error(`Cannot register the receiver of ${whose}: ${saidIn(await registered.text())}`)
}

interface Call {
  readonly method: string
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  readonly token?: string | undefined
}

function call(service: Registering, { method, path, fields, token = '' }: Call): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return service.fetch(
    new Request(`${service.origin}${path}`, { method, headers, body: JSON.stringify(fields) }),
  )
}

/** Webhooks say it in a message, callbacks by field. Readings: webhook-errors, object-errors */
function saidIn(text: string): string {
  const { message, errors = {} }: { readonly message?: string; readonly errors?: object } = JSON.parse(text)
  return message ?? Object.values(errors).flat().join(', ')
}
