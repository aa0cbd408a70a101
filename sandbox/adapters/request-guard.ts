import type { IncomingMessage } from 'node:http'
import { jsonResponse, type HttpResponse } from '../engine/core/http.ts'
import { USER_AGENT } from '../engine/delivery/message.ts'
import { findHeader } from './node-request.ts'

export interface Callee {
  readonly names: readonly string[]
  readonly remedy: string
  readonly origins: readonly string[]
  readonly exactPaths: boolean
}

/** Returns an error for requests from hostile pages (DNS rebinding, other origins) and for the sandbox's own deliveries. */
export function findRefusal(incoming: IncomingMessage, callee: Callee): HttpResponse | undefined {
  const { rawHeaders, url = '' } = incoming
  const { names, remedy, origins, exactPaths } = callee
  const header = (name: string) => findHeader(rawHeaders, name)
  const host = header('host')
  // A comma means several Host headers, because `findHeader` joins repeated headers with commas.
  if (host === undefined || host.includes(','))
    return toRefusal(400, 'bad_host', 'Cannot answer: send exactly one Host header')
  if (!names.includes(host.toLowerCase()))
    return toRefusal(403, 'foreign_host', `Cannot answer for host "${host}": ${remedy}`)
  const origin = header('origin')
  if (origin !== undefined && !origins.includes(origin.toLowerCase()))
    return toRefusal(403, 'foreign_origin', `Cannot answer a web page from origin "${origin}"`)
  const site = header('sec-fetch-site')
  if (site !== undefined && /(cross|same)-site/.test(site))
    return toRefusal(403, 'foreign_origin', 'Rejected a request from a web page of another site')
  if (header('user-agent')?.split(', ').includes(USER_AGENT) === true)
    return toRefusal(403, 'own_delivery', 'Cannot answer: the request is a delivery from this sandbox')
  return exactPaths && DOT_SEGMENT.test(url) ? DOTTED_TARGET : undefined
}

/** Matches dot segments like a URL parser, which reads a backslash as a slash and `%2e` as a dot. */
const DOT_SEGMENT = /^[^?#]*[/\\](\.|%2e){1,2}([/\\?#]|$)/i
const DOTTED_TARGET = toRefusal(400, 'bad_target', 'Cannot answer: the path has the segment "." or ".."')

export const BAD_TARGET = toRefusal(400, 'bad_target', 'Cannot answer: the request names no path')

function toRefusal(status: number, code: string, message: string): HttpResponse {
  return jsonResponse(status, JSON.stringify({ error: { code, message } }), { connection: 'close' })
}
