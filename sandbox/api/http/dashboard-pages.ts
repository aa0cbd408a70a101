import type { RequestHandler } from '../../engine/core/http.ts'

/** The content security policy. Allows only files from this listener, and forbids frames. Markup in a payload is shown as text. */
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

/** Matches the names of files that never change, because Vite adds a content hash to them. */
const ASSET = /^\/(assets\/[\w-]+-[\w-]{8}\.(?:css|js|json|svg))$/
const NOT_BUILT =
  'The dashboard is not built in this checkout. Run "npm run dashboard", and reload this page.\n'

/** Serves the dashboard at `/` without a token, because its files contain no data. The control API serves all other paths. */
export function withDashboard(
  api: RequestHandler,
  read: (name: string) => string | undefined,
): RequestHandler {
  return async (request) => {
    const name = request.path === '/' ? 'index.html' : ASSET.exec(request.path)?.[1]
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (name === undefined || !isRead) return api(request)
    const text = read(name)
    if (text === undefined && name !== 'index.html') return api(request)
    const { type, caching } = text === undefined ? NOT_A_FILE : describeFile(name)
    return {
      status: text === undefined ? 503 : 200,
      headers: { ...HEADERS, 'content-type': type, 'cache-control': caching },
      body: request.method === 'HEAD' ? null : (text ?? NOT_BUILT),
    }
  }
}

const NOT_A_FILE = { type: 'text/plain; charset=utf-8', caching: 'no-store' }

function describeFile(name: string) {
  const caching = name === 'index.html' ? 'no-store' : 'public, max-age=31536000, immutable'
  return { type: TYPES[name.split('.').at(-1) ?? ''] ?? NOT_A_FILE.type, caching }
}
