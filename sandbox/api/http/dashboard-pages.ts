import type { HttpResponse, RequestHandler } from '../../engine/core/http.ts'

/** The built files of the dashboard: the text of one; undefined if there is none of this name. */
export type ReadPageFile = (name: string) => string | undefined

/**
 * Nothing runs or is loaded but the files of this listener, and nobody may frame them: a payload that got into the page as
 * markup would stay text.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
}

/** A name that Vite gives has the hash of what is in the file: it never changes. */
const ASSET = /^\/(assets\/[\w-]+-[\w-]{8}\.(?:css|js|json|svg))$/
const NOT_BUILT =
  'The dashboard has not been built in this checkout. Run "npm run dashboard", and load this page again.\n'

/** The dashboard at `/`, without a token, since it shows nothing by itself; everything else is the control API's. */
export function withDashboard(api: RequestHandler, read: ReadPageFile): RequestHandler {
  return async (request) => {
    const name = request.path === '/' ? 'index.html' : ASSET.exec(request.path)?.[1]
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (name === undefined || !isRead) return api(request)
    const text = read(name)
    if (text === undefined && name !== 'index.html') return api(request)
    const response = text === undefined ? textPage(503, NOT_BUILT) : filePage(name, text)
    return request.method === 'HEAD' ? { ...response, body: null } : response
  }
}

function filePage(name: string, text: string): HttpResponse {
  const caching = name === 'index.html' ? 'no-store' : 'public, max-age=31536000, immutable'
  const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8'
  return { status: 200, headers: { ...HEADERS, 'content-type': type, 'cache-control': caching }, body: text }
}

function textPage(status: number, text: string): HttpResponse {
  const headers = { ...HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return { status, headers, body: text }
}
