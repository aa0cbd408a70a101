import type { GenerationUrl, ReceiverConfig, ReceiverUrl } from '../../spec/generated/config-types.ts'
import type { Generation } from '../../spec/delivery.ts'
import { isNotifiedType } from '../../spec/notifications.ts'
import type { ReceiverOptions } from '../toolkit/options.ts'

/** Notes a problem with a key: `"effects.http" …`. */
export type Refuse = (key: string, problem: string) => undefined

export interface ReceiverContext {
  /** Reads a file that the configuration names. Throws RangeError with the remedy. */
  readonly readFile: (path: string) => string
  /** Whether one URL may be for all types: then what is posted has to tell its type. */
  readonly bareUrl: boolean
}

/** `receiver` with every default in its place; what the schema cannot say of it is checked here. */
export function receiverOptions(
  { url, ca, headers = {}, callsBack = false, generations = ['webhooks'] }: ReceiverConfig,
  { readFile, bareUrl }: ReceiverContext,
  refuse: Refuse,
): Omit<ReceiverOptions, 'source'> {
  for (const [key, problem] of url === undefined ? [] : urlProblems(url, bareUrl)) {
    refuse(`receiver.url${key}`, problem)
  }
  const bad = Object.entries(headers).find(([name, value]) => !NAME.test(name) || UNSENDABLE.test(value))
  if (bad) refuse('receiver.headers', `has "${bad[0]}", which is not a header that can be sent`)
  return {
    urls: url === undefined ? {} : urlsByGeneration(url, generations),
    ca: ca === undefined ? undefined : readPem(ca, readFile, refuse),
    headers,
    callsBack,
  }
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
// oxlint-disable-next-line no-control-regex -- these are what a header cannot hold
const UNSENDABLE = /[\u0000-\u0008\u000a-\u001f\u007f]/

function urlsByGeneration(url: ReceiverUrl, generations: readonly Generation[]): ReceiverOptions['urls'] {
  if (typeof url === 'object' && (url.webhooks !== undefined || url.callbacks !== undefined)) {
    const { webhooks, callbacks } = url
    return { ...(webhooks !== undefined && { webhooks }), ...(callbacks !== undefined && { callbacks }) }
  }
  return Object.fromEntries(generations.map((generation) => [generation, url]))
}

type UrlProblem = readonly [key: string, problem: string]

function urlProblems(url: ReceiverUrl | GenerationUrl, bareUrl: boolean): readonly UrlProblem[] {
  if (typeof url === 'string') {
    const problem = (bareUrl ? undefined : templateProblem(url)) ?? urlProblem(url)
    return problem === undefined ? [] : [['', problem]]
  }
  const given = Object.entries(url)
  if (given.length === 0) return [['', 'names no URL: give one for each type']]
  if (new Set(given.map(([key]) => isNotifiedType(key))).size > 1) {
    return [['', 'names types beside generations: give a URL for each type, or for each generation']]
  }
  return given.flatMap(([key, inner]) =>
    urlProblems(inner, bareUrl || isNotifiedType(key)).map(
      ([path, problem]) => [`.${key}${path}`, problem] as const,
    ),
  )
}

/** The URL must tell which type a delivery is of; one that names a type is for that type. */
function templateProblem(template: string): string | undefined {
  if (template.includes('{object_type}') || template.split('/').some((part) => isNotifiedType(part))) {
    return undefined
  }
  return `has no {object_type}: put it where the type stands in "${template}", or give a URL for each type`
}

function urlProblem(url: string): string | undefined {
  const example = url.replaceAll('{object_type}', 'items')
  const other = /\{\w*\}/.exec(example)?.[0]
  if (other !== undefined) return `has ${other}, which stands for nothing: it takes {object_type}`
  if (!URL.canParse(example)) return `takes an absolute HTTPS URL, not "${url}"`
  return new URL(example).protocol === 'https:'
    ? undefined
    : `takes an HTTPS URL, not "${url}": the service posts to no other; "npx hookbench cert localhost" makes a certificate`
}

function readPem(given: string, readFile: (path: string) => string, refuse: Refuse): string | undefined {
  const isPem = (text: string) => text.includes('-----BEGIN CERTIFICATE-----')
  if (isPem(given)) return given
  try {
    const text = readFile(given)
    return isPem(text) ? text : refuse('receiver.ca', `takes a PEM file: "${given}" has no certificate`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return refuse('receiver.ca', `takes a PEM file: ${reason}`)
  }
}
