import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)

function create(text: string, headers: Record<string, string> = {}) {
  const sandbox = testSandbox()
  const request = new Request('http://bench.test/control/objects/items', {
    method: 'POST',
    headers: { authorization: 'Bearer bench-token', 'content-type': 'application/json', ...headers },
    body: text,
  })
  return sandbox.bench(request).then(async (response) => {
    const { error }: { error?: { code: string } } = JSON.parse(await response.text())
    return [response.status, error?.code, sandbox.store.length]
  })
}

test.each([
  ['{"amount":', 400, 'invalid_json'],
  ['\uFEFF{}', 400, 'invalid_json'],
  [nested(65), 422, 'too_deep'],
  ['{"amount":9007199254740993}', 422, 'not_safe_integer'],
  ['{"amount":-0}', 422, 'not_safe_integer'],
  [String.raw`{"name":"\ud800"}`, 422, 'not_well_formed'],
])('the bench refuses %s with a code for programs', async (text, status, code) => {
  expect(await create(text)).toEqual([status, code, 0])
})

test('the deepest body that is read has 64 levels', async () => {
  expect(await create(nested(64))).toEqual([422, 'invalid', 0])
})

test('a compressed body is refused', async () => {
  expect(await create('{}', { 'content-encoding': 'gzip' })).toEqual([415, 'unsupported_media_type', 0])
})

test.each(['/jobs?status[$ne]=1', '/jobs?statuss=failed', '/jobs?status=failed&status=success'])(
  'the bench refuses the query of %s',
  async (path) => {
    expect((await testSandbox().control('GET', path)).status).toBe(422)
  },
)

test('the service tells of a bad URL and a bad type at once', async () => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.call('POST', '/webhooks', {
    url: 'http://x.test/',
    object_type: 'gadgets',
  })

  const [url, type] = [
    'URL is not HTTPS',
    'Object Type gadgets is not a valid value of field: it takes items, ',
  ]
  expect([status, body.message]).toEqual([422, expect.stringMatching(`^${url}.*, ${type}`)])
})
