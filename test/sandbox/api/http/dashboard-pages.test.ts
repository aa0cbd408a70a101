import { expect, test } from 'vitest'
import { withDashboard } from '../../../../sandbox/api/http/dashboard-pages.ts'
import { toFetchHandler } from '../../../../sandbox/api/http/fetch-handler.ts'
import { jsonResponse } from '../../../../sandbox/engine/core/http.ts'

const FILES = new Map([
  ['index.html', '<!doctype html>'],
  ['assets/index-BGGjR-a_.js', 'run()'],
  ['assets/style-SJlWmjls.css', 'a {}'],
  ['assets/icon-CtrLeNvb.svg', '<svg/>'],
  ['secret.js', 'no'],
])

const api = async () => jsonResponse(404, '{"error":{}}')

function call(path: string, method = 'GET', files = FILES): Promise<Response> {
  const handle = toFetchHandler(withDashboard(api, (name) => files.get(name)))
  return handle(new Request(`http://127.0.0.1:4011${path}`, { method }))
}

test.each([
  ['/', 'text/html; charset=utf-8', 'no-store'],
  ['/assets/index-BGGjR-a_.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/assets/style-SJlWmjls.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/assets/icon-CtrLeNvb.svg', 'image/svg+xml', 'public, max-age=31536000, immutable'],
])('%s is served as %s, with caching "%s"', async (path, type, caching) => {
  const { status, headers } = await call(path)

  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, caching])
})

test.each(['/', '/assets/index-BGGjR-a_.js'])(
  '%s comes with headers that shut everything else out',
  async (path) => {
    const { headers } = await call(path)

    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  },
)

test('HEAD is answered like GET, without the body', async () => {
  const response = await call('/', 'HEAD')

  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'text/html; charset=utf-8',
    '',
  ])
})

test.each([
  ['a file that is not there', '/assets/index-00000000.js', 'GET'],
  ['a file beside the assets', '/secret.js', 'GET'],
  ['the index by its name', '/index.html', 'GET'],
  ['a path with an escaped slash', '/assets/..%2fsecret-BGGjR-a_.js', 'GET'],
  ['another method', '/', 'POST'],
  ['a path of the control API', '/control/health', 'GET'],
])('%s is left to the control API', async (_, path, method) => {
  const { status, headers } = await call(path, method)

  expect([status, headers.get('content-type')]).toEqual([404, 'application/json'])
})

test('where it has not been built, the page says what to run', async () => {
  const response = await call('/', 'GET', new Map())

  expect(response.status).toBe(503)
  expect(await response.text()).toContain('npm run dashboard')
})
