import type { Token } from '../../spec/generated/service-types.ts'
import type { Context } from '../api/operations/operation.ts'
import type { ReceiverRow } from './receivers.ts'

interface RegistrationPorts {
  readonly origin: string
  readonly fetch: (request: Request) => Promise<Response>
  readonly context: Pick<Context, 'credentials' | 'view'>
  readonly thrownAt: (url: string) => unknown
}

export interface ReceiverAddress extends Omit<ReceiverRow, 'receive'> {
  readonly url: string
}

/** Registers receivers through the service API, as a platform does. Each registration causes a test POST. */
export async function registerAll(
  receivers: readonly ReceiverAddress[],
  service: RegistrationPorts,
): Promise<void> {
  if (receivers.length === 0) return
  const { client_id, client_secret } = service.context.credentials
  const grant = { grant_type: 'client_credentials', client_id, client_secret }
  const granted = await callService(service, { method: 'POST', path: '/tokens', fields: grant })
  const { access_token: token }: Partial<Token> = JSON.parse(await granted.text())
  for (const receiver of receivers) await register(receiver, service, token)
}

async function register(
  { generation, object_type, url }: ReceiverAddress,
  service: RegistrationPorts,
  token: string | undefined,
): Promise<void> {
  // The store may already contain registrations from an earlier test.
  const existing = service.context.view
    .registrations(generation)
    .find((registration) => registration.enabled && registration.object_type === object_type)
  const call = existing
    ? { method: 'PATCH', path: `/${generation}/${existing.id}`, fields: { url } }
    : { method: 'POST', path: `/${generation}`, fields: { url, object_type } }
  const registered = await callService(service, { ...call, token })
  if (registered.ok) return
  const whose = generation === 'callbacks' ? `the callbacks of ${object_type}` : object_type
  const message = `Cannot register the receiver of ${whose}: ${errorMessage(await registered.text())}`
  const cause = service.thrownAt(url)
  throw new Error(message, cause === undefined ? {} : { cause })
}

interface ServiceCall {
  readonly method: string
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  readonly token?: string | undefined
}

function callService(
  service: RegistrationPorts,
  { method, path, fields, token = '' }: ServiceCall,
): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return service.fetch(
    new Request(`${service.origin}${path}`, { method, headers, body: JSON.stringify(fields) }),
  )
}

/**
 * Returns the error message. A webhook error has one message, and a callback error has one message per field. Readings:
 * webhook-errors, object-errors
 */
function errorMessage(text: string): string {
  const { message, errors = {} }: { readonly message?: string; readonly errors?: object } = JSON.parse(text)
  return message ?? Object.values(errors).flat().join(', ')
}
