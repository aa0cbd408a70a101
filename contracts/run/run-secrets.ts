import type { RunOptions } from '../toolkit/options.ts'
import {
  createControlClient,
  defaultCredentials,
  findCredentials,
  urlTokens,
} from '../../sandbox/internal.ts'

type SecretOptions = Pick<RunOptions, 'receiver' | 'service' | 'effects' | 'reconcile' | 'secret'>

/** What a run is given that no report may show, wherever it comes up: a receiver may repeat it in an answer. */
export function listSecrets({
  receiver,
  service,
  effects,
  reconcile,
  secret,
}: SecretOptions): readonly string[] {
  const { client_secret, api_token } = service.credentials
  const urls = Object.values(receiver.urls).flatMap((url) =>
    typeof url === 'string' ? [url] : Object.values(url),
  )
  return [
    ...(secret === undefined ? [] : [secret]),
    // The ones that everybody has are no secret.
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

/** Nearly every header that a receiver wants is a credential; these are none. */
const PLAIN_HEADER = /^(accept.*|cache-control|content-.*|user-agent|host|from|x-request-id|x-forwarded-.*)$/i

/** Of `Bearer abc`, the whole and `abc` are secrets. */
function headerSecrets(name: string, value: string): readonly string[] {
  return PLAIN_HEADER.test(name) ? [] : [value, ...value.split(' ').slice(1)]
}

/** The password, and what the query has: a platform knows what it asks for. */
function urlSecrets(text: string): readonly string[] {
  if (!URL.canParse(text)) return []
  const { password, searchParams } = new URL(text)
  const fields = [...searchParams].filter(([, value]) => !value.includes('{'))
  return [
    ...(password === '' ? [] : [password, decodeURIComponent(password)]),
    ...fields.map(([, value]) => value),
  ]
}

/** How a command is given credentials: in a URL, a variable, an option or a header. */
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

/** Returns a token and the forms in which a check sends it: upper case, lower case, and without the last character. */
function tokenForms(token: string): readonly string[] {
  return [...new Set([token, token.toUpperCase(), token.toLowerCase(), token.slice(0, -1)])]
}

/** The same options; where a sandbox is used that runs, with the credentials of its world as far as none are given. */
export async function withWorldCredentials(options: RunOptions): Promise<RunOptions> {
  const { service } = options
  if (service.kind === 'own' || service.given === undefined) return options
  const { world, given } = service
  const flags = { world, clientId: given.client_id, clientSecret: given.client_secret }
  const found = await findCredentials(flags, createControlClient(service))
  return { ...options, service: { ...service, credentials: { ...found, ...given } } }
}
