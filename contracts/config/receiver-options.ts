import type { Generation } from '../../spec/delivery.ts'
import { isNotifiedType, notifiedTypes, type NotifiedType } from '../../spec/notifications.ts'
import type { ReceiverOptions } from '../toolkit/options.ts'
import { isObject, type Fields } from './fields.ts'
import { sourceOf, type SourceAddresses } from '../../sandbox/internal.ts'

const KEYS = ['url', 'ca', 'headers', 'callsBack', 'sourceAddresses']

const GENERATIONS: readonly Generation[] = ['webhooks', 'callbacks']

export interface ReceiverContext {
  /** The generations that one URL is for. */
  readonly generations: readonly Generation[]
  /** Reads a file that the configuration names. Throws RangeError with the remedy. */
  readonly readFile: (path: string) => string
  /** How it can tell where a delivery comes from, by the keys of `up`. */
  readonly sourceAddresses: string | undefined
  /** Whether one URL may be for all types: then what is posted has to tell its type. */
  readonly bareUrl: boolean
}

type Urls = ReceiverOptions['urls']

/** Reads `receiver`; what is wrong is noted in the fields. */
export function receiverOptions(config: Fields, context: ReceiverContext): ReceiverOptions {
  const fields = config.within('receiver', KEYS)
  if (!fields && !config.has('receiver')) config.refuse('receiver.url', MISSING)
  return {
    urls: fields ? urlsOf(fields, context) : {},
    ca: fields && caOf(fields, context.readFile),
    headers: (fields && headersOf(fields)) ?? {},
    callsBack: fields?.flag('callsBack') ?? false,
    source: sourceFrom(fields, context.sourceAddresses),
  }
}

const MISSING =
  'is missing: the URL of your receiver, such as "https://localhost:9443/notifications/{object_type}/3f9c1d2ab47e8051c6d20a94e7b1358f"'

function urlsOf(fields: Fields, { generations, bareUrl }: ReceiverContext): Urls {
  const raw = fields.raw('url')
  if (raw === undefined) {
    fields.refuse('url', MISSING)
    return {}
  }
  const isByGeneration = isObject(raw) && GENERATIONS.some((generation) => Object.hasOwn(raw, generation))
  if (!isByGeneration) {
    const urls = urlsFrom(fields, 'url', bareUrl)
    return urls === undefined
      ? {}
      : Object.fromEntries(generations.map((generation) => [generation, urls] as const))
  }
  const inner = fields.within('url', GENERATIONS)
  if (!inner) return {}
  const given = GENERATIONS.map((generation) => {
    const urls = inner.has(generation) ? urlsFrom(inner, generation, bareUrl) : undefined
    return [generation, urls] as const
  })
  return Object.fromEntries(given.filter(([, urls]) => urls !== undefined))
}

/** A template, or a URL for each type. */
function urlsFrom(
  fields: Fields,
  key: string,
  bareUrl: boolean,
): string | Partial<Record<NotifiedType, string>> | undefined {
  if (!isObject(fields.raw(key))) {
    const template = fields.text(key)
    const problem =
      template === undefined
        ? undefined
        : ((bareUrl ? undefined : templateProblem(template)) ?? urlProblem(template))
    return problem === undefined ? template : fields.refuse(key, problem)
  }
  const inner = fields.within(key, notifiedTypes)
  const urls: Partial<Record<NotifiedType, string>> = {}
  for (const type of notifiedTypes) {
    const url = inner?.text(type)
    const problem = url === undefined ? undefined : urlProblem(url)
    if (problem !== undefined) inner?.refuse(type, problem)
    else if (url !== undefined) urls[type] = url
  }
  return Object.keys(urls).length > 0 ? urls : fields.refuse(key, 'names no URL: give one for each type')
}

/** Which type a delivery is of must be told by its URL; one that names a type is for that type. */
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

function caOf(fields: Fields, readFile: (path: string) => string): string | undefined {
  const given = fields.text('ca')
  if (given === undefined) return undefined
  const isPem = (text: string) => text.includes('-----BEGIN CERTIFICATE-----')
  if (isPem(given)) return given
  try {
    const text = readFile(given)
    return isPem(text) ? text : fields.refuse('ca', `takes a PEM file: "${given}" has no certificate`)
  } catch (error) {
    return fields.refuse('ca', `takes a PEM file: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
// oxlint-disable-next-line no-control-regex -- these are what a header cannot hold
const UNSENDABLE = /[\u0000-\u0008\u000a-\u001f\u007f]/

function headersOf(fields: Fields): Readonly<Record<string, string>> | undefined {
  const headers = fields.texts('headers')
  const bad = Object.entries(headers ?? {}).find(
    ([name, value]) => !NAME.test(name) || UNSENDABLE.test(value),
  )
  return bad ? fields.refuse('headers', `has "${bad[0]}", which is no header that can be sent`) : headers
}

function sourceFrom(fields: Fields | undefined, fallback: string | undefined): SourceAddresses | undefined {
  const given = fields?.text('sourceAddresses') ?? fallback
  if (given === undefined) return undefined
  try {
    return sourceOf(given)
  } catch (error) {
    return fields?.refuse('sourceAddresses', error instanceof Error ? `is refused: ${error.message}` : '')
  }
}
