import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Core } from './core.ts'
import { careful, type Judgement } from './judgement.ts'
import { type Generation, isNotifiedType, type Place } from './notice.ts'

/** A request as any HTTP library can tell it. */
export interface Incoming {
  readonly method: string
  /** Without a query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Where it comes from: the address of the socket, or what a trusted proxy says. */
  readonly from: string | undefined
  /** Undefined if it is longer than `BODY_LIMIT`. */
  readonly body: Uint8Array | undefined
  /** Resolves with whether the sender was still there for the answer. */
  readonly answered: Promise<boolean>
}

/** What we answer: a status, next to nothing else, and never a word about ourselves. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Door = (request: Incoming) => Answer | Promise<Answer>

export interface DoorOptions {
  /** The part of our addresses that nobody can guess. */
  readonly token: string
  /** The addresses that each generation is sent from; anybody if left out. */
  readonly allowed?: { readonly [Each in Generation]: readonly string[] } | undefined
}

/** Larger than anything that the service sends, and small enough to be held in memory. */
export const BODY_LIMIT = 1_048_576

const FOLDERS: Readonly<Record<string, Generation>> = { notifications: 'webhooks', callbacks: 'callbacks' }

/** Answers as soon as a notice is kept; nothing else is done while the sender waits. */
export function createDoor(
  core: Pick<Core, 'accept'>,
  options: DoorOptions,
  judgement: Judgement = careful,
): Door {
  return ({ method, path, headers, from, body }) => {
    const place = placeOf(path, options.token)
    if (!place) return { status: 404 }
    if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
    if (options.allowed && !options.allowed[place.generation].includes(from ?? '')) return { status: 403 }
    if (!isJson(headers['content-type'])) return { status: 415 }
    if (body === undefined) return { status: 413 }
    const text = textOf(body)
    const meaning =
      text === undefined ? undefined : meaningIn(text, (read) => judgement.meaningOf(read, place))
    if (text === undefined || !meaning || meaning.kind === 'foreign') return { status: 400 }
    if (meaning.kind === 'notice') core.accept({ ...place, id: meaning.id, body: text })
    return { status: 204 }
  }
}

/** `/notifications/{object_type}/{token}` for webhooks, `/callbacks/…` for callbacks. Source: §5 */
function placeOf(path: string, token: string): Place | undefined {
  const [root, folder = '', type = '', given = '', ...rest] = path.split('/')
  const generation = Object.hasOwn(FOLDERS, folder) ? FOLDERS[folder] : undefined
  if (root !== '' || rest.length > 0 || !generation || !isNotifiedType(type) || !isSame(given, token))
    return undefined
  return { generation, type }
}

/** In a time that does not tell how much of it was right. */
function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** With or without a charset. */
function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType ?? '')
}

/** Undefined if it is not UTF-8. */
export function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** Undefined if it is not JSON. */
function meaningIn<Read>(text: string, read: (body: unknown) => Read): Read | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  return read(body)
}
