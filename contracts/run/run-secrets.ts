import type { RunOptions } from '../toolkit/options.ts'
import {
  createControlClient,
  defaultCredentials,
  findCredentials,
  urlTokens,
  maskHeaders,
} from '../../sandbox/internal.ts'
import type { RequestRecord } from '../../spec/generated/control-types.ts'
import type { Evidence, Exchange, Finding } from '../finding.ts'
import type { CheckResult, RunEvent } from './run-result.ts'

type SecretOptions = Pick<RunOptions, 'receiver' | 'service' | 'effects' | 'reconcile' | 'secret'>

/** Lists the secrets of a run, which no report may show. A receiver may repeat them in an answer. */
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
    // The default credentials are public.
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

/** Most configured headers are credentials. These are not. */
const PLAIN_HEADER = /^(accept.*|cache-control|content-.*|user-agent|host|from|x-request-id|x-forwarded-.*)$/i

/** Of `Bearer abc`, both the whole text and `abc` are secrets. */
function headerSecrets(name: string, value: string): readonly string[] {
  return PLAIN_HEADER.test(name) ? [] : [value, ...value.split(' ').slice(1)]
}

/** Returns the password and the query, which may contain tokens. */
function urlSecrets(text: string): readonly string[] {
  if (!URL.canParse(text)) return []
  const { password, searchParams } = new URL(text)
  const fields = [...searchParams].filter(([, value]) => !value.includes('{'))
  return [
    ...(password === '' ? [] : [password, decodeURIComponent(password)]),
    ...fields.map(([, value]) => value),
  ]
}

/** Credentials in commands, as URL, variable, option or header. */
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

/** Returns a token and the variants that checks send. */
function tokenForms(token: string): readonly string[] {
  return [...new Set([token, token.toUpperCase(), token.toLowerCase(), token.slice(0, -1)])]
}

/** Fills in missing credentials from the world of a running sandbox. */
export async function withWorldCredentials(options: RunOptions): Promise<RunOptions> {
  const { service } = options
  if (service.kind === 'own' || service.given === undefined) return options
  const { world, given } = service
  const flags = { world, clientId: given.client_id, clientSecret: given.client_secret }
  const found = await findCredentials(flags, createControlClient(service))
  return { ...options, service: { ...service, credentials: { ...found, ...given } } }
}

type Mask = (text: string) => string

/** Masks the secrets in a result, for every report. */
export function maskResult(result: CheckResult, mask: Mask): CheckResult {
  // Evidence and events share exchanges.
  const masked = new Map<Exchange, Exchange>()
  const maskOnce = (exchange: Exchange): Exchange => {
    const one = masked.get(exchange) ?? maskExchange(exchange, mask)
    masked.set(exchange, one)
    return one
  }
  return {
    ...result,
    finding: result.finding && maskFinding(result.finding, mask, maskOnce),
    events: result.events.map((event) => maskEvent(event, mask, maskOnce)),
  }
}

type MaskExchange = (exchange: Exchange) => Exchange

function maskExchange({ request, response, ...exchange }: Exchange, mask: Mask): Exchange {
  return {
    ...exchange,
    label: mask(exchange.label),
    message: mask(exchange.message),
    request: {
      ...request,
      url: mask(request.url),
      headers: maskHeaders(request.headers, mask),
      body: mask(request.body),
    },
    response: response && {
      ...response,
      headers: maskHeaders(response.headers, mask),
      body: mask(response.body),
    },
  }
}

function maskFinding(finding: Finding, mask: Mask, maskOnce: MaskExchange): Finding {
  const maskEvidence = ({ exchanges, calls, ...evidence }: Evidence): Evidence => ({
    ...evidence,
    ...(exchanges && { exchanges: exchanges.map(maskOnce) }),
    ...(calls && { calls: calls.map((call) => maskCall(call, mask)) }),
  })
  switch (finding.kind) {
    case 'passed':
      return finding.unobserved === undefined ? finding : { ...finding, unobserved: mask(finding.unobserved) }
    case 'failed': {
      const { expected, actual, evidence } = finding
      return { ...finding, expected: mask(expected), actual: mask(actual), evidence: maskEvidence(evidence) }
    }
    case 'inconclusive':
      return { ...finding, why: mask(finding.why), evidence: maskEvidence(finding.evidence) }
    case 'not-observable':
      return { ...finding, why: mask(finding.why) }
    default:
      return finding satisfies never
  }
}

function maskEvent(event: RunEvent, mask: Mask, maskOnce: MaskExchange): RunEvent {
  switch (event.kind) {
    case 'sent':
      return { ...event, exchange: maskOnce(event.exchange) }
    case 'called':
      return { ...event, request: maskCall(event.request, mask) }
    case 'world':
      return { ...event, text: mask(event.text) }
    case 'effects':
      return event
    default:
      return event satisfies never
  }
}

function maskCall(call: RequestRecord, mask: Mask): RequestRecord {
  const { path, user_agent } = call
  return { ...call, path: mask(path), user_agent: user_agent === null ? null : mask(user_agent) }
}
