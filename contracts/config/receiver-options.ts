import { errorMessage } from '../../spec/errors.ts'
import type { GenerationUrl, ReceiverConfig, ReceiverUrl } from '../../spec/generated/config-types.ts'
import type { Generation } from '../../spec/delivery.ts'
import { isNotifiedType } from '../../spec/notifications.ts'
import type { ConfigContext } from './config-context.ts'
import type { ReceiverOptions } from '../toolkit/options.ts'
import { commandLine, parseUrl } from '../../sandbox/internal.ts'

/** Records a problem with a configuration key, such as `"effects.http" …`. */
export type Refuse = (key: string, problem: string) => undefined

/** Calls `refuse` for values that are invalid but pass the schema. */
export function receiverOptions(
  { url, ca, headers = {}, callsBack = false, generations = ['webhooks'] }: ReceiverConfig,
  { readFile, data }: Pick<ConfigContext, 'readFile'> & { readonly data: string },
  refuse: Refuse,
): Omit<ReceiverOptions, 'source'> {
  for (const [key, problem] of url === undefined ? [] : urlProblems(url, data)) {
    refuse(`receiver.url${key}`, problem)
  }
  const bad = Object.entries(headers).find(([name, value]) => !NAME.test(name) || UNSENDABLE.test(value))
  if (bad) refuse('receiver.headers', `has "${bad[0]}", which is not a valid header`)
  return {
    urls: url === undefined ? {} : urlsByGeneration(url, generations),
    ca: ca === undefined ? undefined : readPem(ca, readFile, refuse),
    headers,
    callsBack,
  }
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
// oxlint-disable-next-line no-control-regex -- these are the characters that a header must not contain
const UNSENDABLE = /[\u0000-\u0008\u000a-\u001f\u007f]/

function urlsByGeneration(url: ReceiverUrl, generations: readonly Generation[]): ReceiverOptions['urls'] {
  if (typeof url === 'object' && (url.webhooks !== undefined || url.callbacks !== undefined)) {
    const { webhooks, callbacks } = url
    return { ...(webhooks !== undefined && { webhooks }), ...(callbacks !== undefined && { callbacks }) }
  }
  return Object.fromEntries(generations.map((generation) => [generation, url]))
}

type UrlProblem = readonly [key: string, problem: string]

/** The error text for an undefined URL. The usual cause is an environment variable that is not set. */
export const UNDEFINED_URL = 'is undefined. Give the URL, or omit the key'

function urlProblems(url: ReceiverUrl | GenerationUrl | undefined, data: string): readonly UrlProblem[] {
  if (url === undefined) return [['', UNDEFINED_URL]]
  if (typeof url === 'string') {
    const problem = urlProblem(url, data)
    return problem === undefined ? [] : [['', problem]]
  }
  const given = Object.entries(url)
  if (given.length === 0) return [['', 'names no URL. Give a URL for each type']]
  if (new Set(given.map(([key]) => isNotifiedType(key))).size > 1) {
    return [['', 'names both types and generations. Give a URL for each type, or for each generation']]
  }
  return given.flatMap(([key, inner]) =>
    urlProblems(inner, data).map(([path, problem]) => [`.${key}${path}`, problem] as const),
  )
}

function urlProblem(url: string, data: string): string | undefined {
  const example = url.replaceAll('{object_type}', 'items')
  const other = /\{\w*\}/.exec(example)?.[0]
  if (other !== undefined) return `has ${other}, which is not a variable. Write {object_type}`
  if (!URL.canParse(example)) return `takes an absolute HTTPS URL, not "${url}"`
  const { protocol } = new URL(example)
  if (protocol === 'https:') {
    const parsed = parseUrl(example)
    return 'code' in parsed ? parsed.message : undefined
  }
  const written = protocol === 'http:' ? url.replace(/^http:/i, 'https:') : `https://${url}`
  const remedy = `write it as ${written}; "${commandLine('cert localhost', data)}" makes a certificate`
  return `takes an HTTPS URL, not "${url}": the service posts only to HTTPS URLs; ${remedy}`
}

function readPem(given: string, readFile: (path: string) => string, refuse: Refuse): string | undefined {
  const isPem = (text: string) => text.includes('-----BEGIN CERTIFICATE-----')
  if (isPem(given)) return given
  try {
    const text = readFile(given)
    return isPem(text) ? text : refuse('receiver.ca', `takes a PEM file: "${given}" has no certificate`)
  } catch (error) {
    return refuse('receiver.ca', `takes a PEM file: ${errorMessage(error)}`)
  }
}
