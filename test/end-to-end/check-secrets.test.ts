import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useWorkshop } from '../support/workshop.ts'
import { duringTest } from '../support/lifetimes.ts'
import { serveHttp } from '../support/scripted-server.ts'

const shop = useWorkshop()

/** One secret for each source. Each secret contains the name of its source. */
const SECRET = {
  path: 'hush0path1token2abcdef',
  query: 'hush-query-of-the-receiver',
  header: 'hush-header-of-the-receiver',
  cookie: 'hush-cookie-of-the-answer',
  authorization: 'hush-authorization-of-the-answer',
  location: 'hush-token-in-the-answer',
  effects: 'hush-query-of-the-effects',
  signature: 'hush-secret-of-the-signature-0123456789',
}

async function openReceiver(): Promise<string> {
  const tls = await shop.certificate()
  const opening = serveHttp(({ method, url = '', headers }, response) => {
    if (method === 'GET') return response.end('{"effects": 0, "state": null}')
    response.setHeader('set-cookie', `session=${SECRET.cookie}`)
    response.setHeader('authorization', `Bearer ${SECRET.authorization}`)
    response.setHeader('x-next', `https://localhost/in?token=${SECRET.location}`)
    return response.writeHead(500).end(`failed at ${url} for ${repeated(headers.authorization)}`)
  }, tls)
  return (await duringTest(opening)).origin
}

function repeated(authorization: string | undefined): string {
  return authorization === undefined ? 'nobody' : `${authorization}, ${SECRET.signature}`
}

const CHECKS = ['http/accepts-golden-bodies', 'idempotency/same-delivery-again', 'http/other-methods']
const FIRST = [...CHECKS.slice(0, 1), '--port', '0']
const REPORTS = ['junit', 'html', 'markdown', 'report-json', 'annotations']

test('no report contains secrets of the configuration, requests or responses', async () => {
  const origin = await openReceiver()
  const url = `${origin}/${SECRET.path}/{object_type}?shop=${SECRET.query}`
  const config = {
    receiver: { url, headers: { authorization: `Bearer ${SECRET.header}` } },
    effects: { http: `${origin}/{object_type}/{id}?shop=${SECRET.effects}` },
    signatureSecret: SECRET.signature,
    port: 0,
  }
  writeFileSync(join(shop.folder, 'secrets.json'), JSON.stringify(config))
  const outputs = REPORTS.flatMap((name) => [`--${name}`, `secrets-report.${name}`])

  const asText = await shop.run('check', ...CHECKS, '--config', 'secrets.json', ...outputs)
  const asJson = await shop.run('check', ...CHECKS, '--config', 'secrets.json', '--json')
  const byFlags = await shop.run('check', url, ...FIRST, '--effects', config.effects.http)

  const files = readdirSync(shop.folder).filter((name) => name.startsWith('secrets-report.'))
  expect(files.length).toBeGreaterThanOrEqual(REPORTS.length)
  const texts = [
    ...files.map((name) => [name, readFileSync(join(shop.folder, name), 'utf8')] as const),
    ...Object.entries({ asText, asJson, byFlags }).flatMap(([name, { stdout, stderr }]) => [
      [name, `${stdout}${stderr}`] as const,
    ]),
  ]
  const leaks = texts.flatMap(([name, text]) =>
    [...text.matchAll(/.{40}hush[\w-]+/gs)].map(([leak]) => `${name}: ${leak}`),
  )
  expect(leaks).toEqual([])
  for (const [, text] of texts) expect(text).toContain('500')
  expect(asText.stdout).toContain('set-cookie: (left out)')
  expect(asJson.stdout).toContain(`failed at /***/`)
})

test('error messages hide a password in the effects URL', async () => {
  const origin = await openReceiver()
  const effects = `${origin.replace('https://', 'https://me:hush-password@')}/{object_type}/{id}?token=hush-token`

  const { code, stdout, stderr } = await shop.run('check', `${origin}/x`, ...FIRST, '--effects', effects)

  expect(code).toBe(2)
  expect(stderr).toContain('effects.http at https://***@localhost:')
  expect(`${stdout}${stderr}`).not.toContain('hush')
})
