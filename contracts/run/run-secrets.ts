import type { RunOptions } from '../toolkit/options.ts'
import {
  createControlClient,
  createMask,
  defaultCredentials,
  findCredentials,
  urlTokens,
  maskHeaders,
} from '../../sandbox/internal.ts'
import type { CheckResult } from './run-result.ts'

type SecretOptions = Pick<RunOptions, 'receiver' | 'service' | 'effects' | 'reconcile' | 'secret'>

/** Lists the secrets that no report may contain. A receiver may repeat secrets in a response. */
export function listSecrets(options: SecretOptions): readonly string[] {
  const { receiver, service, effects, reconcile, secret } = options
  const { client_secret, api_token } = service.credentials
  const urls = Object.values(receiver.urls).flatMap((url) =>
    typeof url === 'string' ? [url] : Object.values(url),
  )
  return [
    ...(secret === undefined ? [] : [secret]),
    // The default credentials are public, so they are not secrets.
    ...(client_secret === defaultCredentials.client_secret ? [] : [client_secret]),
    ...(api_token === defaultCredentials.api_token ? [] : [api_token]),
    ...(service.kind === 'attached' ? [service.token] : []),
    ...Object.entries(receiver.headers).flatMap(([name, value]) => headerSecrets(name, value)),
    ...urls.flatMap((url) => [...urlSecrets(url), ...urlTokens(url).flatMap(tokenForms)]),
    ...[effects, reconcile].flatMap((asked) => {
      if (asked?.kind === 'http') return [...urlSecrets(asked.url), ...urlTokens(asked.url)]
      return asked?.kind === 'command' ? commandSecrets(asked.command) : []
    }),
  ]
}

/** Returns the URLs of the receiver without secrets. The URLs can contain the placeholder `{object_type}`. */
export function maskedReceiverUrl(options: SecretOptions): string {
  const { webhooks, callbacks } = options.receiver.urls
  const given = webhooks ?? callbacks ?? {}
  const urls = typeof given === 'string' ? [given] : new Set(Object.values(given))
  return createMask(listSecrets(options))([...urls].join(', '))
}

/** The names of headers that are not credentials. All other configured headers count as credentials. */
const PLAIN_HEADER = /^(accept.*|cache-control|content-.*|user-agent|host|from|x-request-id|x-forwarded-.*)$/i

/** Returns the secrets in a header. In `Bearer abc`, both the complete text and `abc` are secrets. */
function headerSecrets(name: string, value: string): readonly string[] {
  return PLAIN_HEADER.test(name) ? [] : [value, ...value.split(' ').slice(1)]
}

/** Returns the password and the query parameters of a URL, because these values may be secret. */
function urlSecrets(text: string): readonly string[] {
  if (!URL.canParse(text)) return []
  const { password, searchParams } = new URL(text)
  const fields = [...searchParams].filter(([, value]) => !value.includes('{'))
  return [
    ...(password === '' ? [] : [password, decodeURIComponent(password)]),
    ...fields.map(([, value]) => value),
  ]
}

/** Patterns that find credentials in commands: in a URL, a variable, an option or a header. */
const COMMAND_SECRETS = [
  /[a-z][a-z\d+.-]*:\/\/[^\s/?#:"']*:([^\s/?#"'@]+)@/gi,
  /(?:passw|pwd|secret|token|credential|api[-_]?key|access[-_]?key)\w*(?:=|\s+)["']?([^\s"']+)/gi,
  /authorization\s*:\s*(?:\w+\s+)?([^\s"']+)/gi,
  /\s-u\s*["']?[^\s:"']+:([^\s"']+)/g,
]

function commandSecrets(command: string): readonly string[] {
  return COMMAND_SECRETS.flatMap((pattern) =>
    [...command.matchAll(pattern)].flatMap(([, secret]) => secret ?? []),
  )
}

/** Returns a URL token and its changed variants, which checks send. */
function tokenForms(token: string): readonly string[] {
  return [...new Set([token, token.toUpperCase(), token.toLowerCase(), token.slice(0, -1)])]
}

export async function withWorldCredentials(options: RunOptions): Promise<RunOptions> {
  const { service } = options
  if (service.kind === 'own' || service.given === undefined) return options
  const { world, given } = service
  const flags = { world, clientId: given.client_id, clientSecret: given.client_secret }
  const found = await findCredentials(flags, createControlClient(service))
  return { ...options, service: { ...service, credentials: { ...found, ...given } } }
}

/** The fields that contain only ids or fixed words. These fields are not masked, even if a secret has the same text. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set(
  'kind cause symptom role reason flags see type id at real_at operation object_type object_id'.split(' '),
)

export function maskResult(result: CheckResult, mask: (text: string) => string): CheckResult {
  // The evidence and the events share exchange objects. After masking, evidence and events must still share these objects.
  const masked = new Map<object, unknown>()
  function maskValue(value: unknown): unknown {
    if (typeof value === 'string') return mask(value)
    if (typeof value !== 'object' || value === null) return value
    if (!masked.has(value)) masked.set(value, Array.isArray(value) ? value.map(maskValue) : maskFields(value))
    return masked.get(value)
  }
  const maskFields = (fields: object) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => {
        if (PLAIN_FIELDS.has(name)) return [name, value]
        return [name, name === 'headers' ? maskHeaders(value, mask) : maskValue(value)]
      }),
    )
  const { finding, events } = result
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only strings change
  return { ...result, ...(maskValue({ finding, events }) as Pick<CheckResult, 'finding' | 'events'>) }
}
