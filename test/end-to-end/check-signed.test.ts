import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkshop } from '../support/program.ts'

const SECRET = 'a-secret-of-32-characters-or-more'
const shop = openWorkshop()
let server: ReturnType<typeof createServer>
/** The methods of what was refused. */
const refused: string[] = []

// A receiver that answers 401 to whatever is not signed with its secret.
beforeAll(async () => {
  await shop.run('cert', 'localhost')
  const pem = (name: string) => readFileSync(join(shop.folder, name), 'utf8')
  server = createServer(
    { cert: pem('localhost.crt.pem'), key: pem('localhost.key.pem') },
    (request, response) => {
      const answered = buffer(request).then((body) => {
        const [, time, given] = /^t=(\d+),v=(.+)$/.exec(String(request.headers['webhooks-signature'])) ?? []
        const computed = createHmac('sha256', SECRET).update(`${time}.`).update(body).digest('base64url')
        if (given !== computed) refused.push(request.method ?? '')
        return response.writeHead(given === computed ? 204 : 401).end()
      })
      answered.catch(() => response.destroy())
    },
  )
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve)
  })
})

afterAll(() => {
  server.close().closeAllConnections()
  shop.close()
})

async function verdictsOf(checks: readonly string[], secret = SECRET): Promise<readonly unknown[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  const { port } = server.address() as AddressInfo
  const config = {
    receiver: { url: `https://localhost:${port}/{object_type}` },
    port: 0,
    readings: { signature: 'hmac' },
    signatureSecret: secret,
  }
  writeFileSync(join(shop.folder, 'signed.json'), JSON.stringify(config))
  const { stdout } = await shop.run('check', ...checks, '--config', 'signed.json', '--json')
  expect(stdout).not.toContain(secret)
  return JSON.parse(stdout).checks.map(({ verdict }: { readonly verdict: unknown }) => verdict)
}

test('deliveries are signed with the secret that the receiver verifies with', async () => {
  expect(await verdictsOf(['http/accepts-golden-bodies'])).toEqual(['passed'])
})

test('whatever a check sends is signed: other methods, broken bodies, what it hangs up on', async () => {
  refused.splice(0)

  await verdictsOf(['http', 'body', 'idempotency', 'trust'])

  expect(refused).toEqual([])
})

test('with another secret they are refused', async () => {
  expect(await verdictsOf(['http/accepts-golden-bodies'], SECRET.toUpperCase())).toEqual(['failed'])
})
