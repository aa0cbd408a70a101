import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkshop } from '../support/program.ts'
import { serveHttp, type TestServer } from '../support/scripted-server.ts'

const SECRET = 'a-secret-of-32-characters-or-more'
const shop = openWorkshop()
let server: TestServer
const refused: string[] = []

beforeAll(async () => {
  server = await serveHttp(
    (request, response) => {
      const answered = buffer(request).then((body) => {
        const [, time, given] = /^t=(\d+),v=(.+)$/.exec(String(request.headers['webhooks-signature'])) ?? []
        const computed = createHmac('sha256', SECRET).update(`${time}.`).update(body).digest('base64url')
        if (given !== computed) refused.push(request.method ?? '')
        return response.writeHead(given === computed ? 204 : 401).end()
      })
      answered.catch(() => response.destroy())
    },
    await shop.certificate(),
  )
})

afterAll(async () => {
  await server.close()
  shop.close()
})

const signedWith = (secret: string) => ({ signatureSecret: secret })

function runWith(settings: object, ...words: readonly string[]) {
  const config = { receiver: { url: `${server.origin}/{object_type}` }, port: 0, ...settings }
  writeFileSync(join(shop.folder, 'signed.json'), JSON.stringify(config))
  return shop.run('check', ...words, '--config', 'signed.json', '--json')
}

async function verdictsOf(checks: readonly string[], settings: object): Promise<readonly unknown[]> {
  const { stdout } = await runWith(settings, ...checks)
  return JSON.parse(stdout).checks.map(({ verdict }: { readonly verdict: unknown }) => verdict)
}

test('the receiver verifies deliveries with the configured secret', async () => {
  expect(await verdictsOf(['http/accepts-golden-bodies'], signedWith(SECRET))).toEqual(['passed'])
})

test('the receiver refuses deliveries with another secret', async () => {
  expect(await verdictsOf(['http/accepts-golden-bodies'], signedWith(SECRET.toUpperCase()))).toEqual([
    'failed',
  ])
})

test('every request of a check is signed, also other methods, broken bodies and aborted ones', async () => {
  refused.splice(0)

  await verdictsOf(['http', 'body', 'idempotency', 'trust'], signedWith(SECRET))

  expect(refused).toEqual([])
})

test.each([
  ['no setting states whether webhooks are signed', {}, 'not_observable'],
  ['webhooks are signed, but no secret is set', { readings: { signature: 'hmac' } }, 'not_observable'],
  ['they are said not to be', { readings: { signature: 'off' } }, 'skipped'],
])('signatures are not judged when %s', async (_, settings, verdict) => {
  expect(await verdictsOf(['signature/missing'], settings)).toEqual([verdict])
})

test('required signatures need a secret', async () => {
  const { code, stderr } = await runWith({}, 'signature', '--require', 'signature')

  expect([code, stderr]).toEqual([2, expect.stringContaining('set signatureSecret in the configuration')])
})
