import type { AttachedService, EffectOptions, OwnService, RunOptions } from '../toolkit/options.ts'
import type { EffectProbe } from '../toolkit/effects.ts'
import type { Fields } from './fields.ts'
import { defaultCredentials } from '../../sandbox/internal.ts'

const DEFAULT_PORT = 4010
const DEFAULT_DATA = '.hookbench'

const PORT = { least: 0, most: 65_535 }

export interface ServiceContext {
  /** The token of the sandbox whose data folder this is; undefined if there is none. */
  readonly readToken: (data: string) => string | undefined
  /** The CA in this data folder, as PEM; undefined if there is none. */
  readonly readCa: (data: string) => string | undefined
}

/** Reads `service`, and what `up` says of port, folder, targets and credentials. */
export function serviceOptions(
  config: Fields,
  { readToken, readCa }: ServiceContext,
): OwnService | AttachedService {
  const fields = config.within('service', ['port', 'data', 'allowTargets', 'attach', 'token'])
  const data = fields?.text('data') ?? config.text('data') ?? DEFAULT_DATA
  const credentials = { ...defaultCredentials, ...config.texts('credentials') }
  if (fields?.has('attach'))
    return { ...attached(fields, () => readToken(data)), ca: readCa(data), credentials }
  if (fields?.has('token')) fields.refuse('token', 'goes with "service.attach": the address of the bench')
  return {
    kind: 'own',
    port: fields?.whole('port', PORT) ?? config.whole('port', PORT) ?? DEFAULT_PORT,
    data,
    allowTargets: [...(config.list('allow_targets') ?? []), ...(fields?.list('allowTargets') ?? [])],
    credentials,
  }
}

function attached(
  fields: Fields,
  findToken: () => string | undefined,
): Omit<AttachedService, 'ca' | 'credentials'> {
  for (const key of ['port', 'allowTargets']) {
    if (fields.has(key)) fields.refuse(key, 'cannot be used with "service.attach": leave one out')
  }
  const url = fields.text('attach') ?? ''
  if (url !== '' && !/^https?:\/\//.test(url)) {
    fields.refuse('attach', `takes the bench's address, such as "http://127.0.0.1:4011", not "${url}"`)
  }
  const token = fields.text('token') ?? findToken()
  if (token === undefined || token === '') {
    fields.refuse('token', 'is missing: the token that "npx hookbench up" prints, or HOOKBENCH_TOKEN')
  }
  return { kind: 'attached', url, token: token ?? '' }
}

const KINDS = ['http', 'command', 'function', 'sink']

/** Reads `effects`; undefined where they are not observed. */
export function effectOptions(config: Fields): EffectOptions | undefined {
  const fields = config.within('effects', KINDS)
  if (!fields) return undefined
  const [kind, ...others] = KINDS.filter((key) => fields.has(key))
  if (kind === undefined || others.length > 0) {
    return config.refuse('effects', `takes one of ${KINDS.join(', ')}`)
  }
  if (kind === 'sink') return sinkOf(fields)
  if (kind === 'function') return functionOf(fields)
  const text = fields.text(kind)
  if (text === undefined || text === '') return undefined
  return kind === 'http' ? pageOf(fields, text) : { kind: 'command', command: text }
}

function pageOf(fields: Fields, url: string): EffectOptions | undefined {
  const missing = ['{object_type}', '{id}'].filter((part) => !url.includes(part))
  if (missing.length > 0) {
    const like = 'such as "http://localhost:3000/effects/{object_type}/{id}"'
    return fields.refuse('http', `has no ${missing.join(' and no ')}: it takes a URL with both, ${like}`)
  }
  const example = url.replaceAll(/\{(object_type|id)\}/g, 'x')
  if (!URL.canParse(example) || !/^https?:/.test(example)) {
    return fields.refuse('http', `takes an absolute URL, not "${url}"`)
  }
  return { kind: 'http', url }
}

function sinkOf(fields: Fields): EffectOptions | undefined {
  if (fields.raw('sink') === true) return { kind: 'sink', port: 0 }
  const port = fields.whole('sink', PORT)
  return port === undefined ? undefined : { kind: 'sink', port }
}

function functionOf(fields: Fields): EffectOptions | undefined {
  const read = fields.raw('function')
  if (!isProbe(read))
    return fields.refuse('function', 'takes a function: async (object_type, id) => ({ effects, state })')
  return { kind: 'function', read: async (object_type, id) => read(object_type, id) }
}

/** What it gives is looked at when it is asked. */
function isProbe(value: unknown): value is EffectProbe {
  return typeof value === 'function'
}

/** Reads `process`; undefined where it is not ours to stop. */
export function processOptions(config: Fields): RunOptions['process'] {
  const fields = config.within('process', ['stop', 'start'])
  if (!fields) return undefined
  const [stop, start] = [fields.text('stop'), fields.text('start')]
  if (!fields.has('stop')) fields.refuse('stop', 'is missing: the shell command that stops the receiver')
  if (!fields.has('start')) fields.refuse('start', 'is missing: the shell command that starts the receiver')
  return stop === undefined || start === undefined ? undefined : { stop, start }
}
