import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBenchToken } from '../../sandbox/adapters/data-folder.ts'
import { useWorkshop } from '../support/workshop.ts'

const SECRET = {
  client: 'hush-client-secret-of-the-sandbox',
  api: 'hush-api-token-of-the-sandbox',
  wrong: 'hush-secret-of-somebody-else',
  query: 'hush-token-in-a-query',
  signature: 'hush-secret-of-the-signature-0123456789',
}

const shop = useWorkshop({ HOOKBENCH_CLIENT_SECRET: SECRET.client, HOOKBENCH_API_TOKEN: SECRET.api })

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  )
}

async function readEvents(url: string, token: string, until: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'last-event-id': '0' }
  const response = await fetch(`${url}/control/events`, { headers })
  let said = ''
  for await (const piece of response.body ?? []) {
    said += Buffer.from(piece).toString()
    if (said.includes(until)) return said
  }
  return said
}

// As SECURITY.md says, a stored snapshot also contains signing secrets.
test('secrets appear only in the data folder files that are meant for them', async () => {
  const { ready, end } = await shop.up()
  const [service, bench] = [String(ready['service_url']), String(ready['bench_url'])]
  const benchToken = readBenchToken({ path: join(shop.folder, '.hookbench') }) ?? expect.fail('no token')
  const grant = { grant_type: 'client_credentials', client_id: 'sandbox', scope: 'x' }
  const ask = (fields: Record<string, string>) =>
    fetch(`${service}/tokens?${new URLSearchParams({ ...grant, ...fields }).toString()}`, { method: 'POST' })
  const granted = await ask({ client_secret: SECRET.client })
  const { access_token } = (await granted.json()) as { readonly access_token: string }
  await ask({ client_secret: SECRET.wrong })
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ secret_key: SECRET.signature })
  const set = await fetch(`${service}/webhooks/secret_key`, { method: 'POST', headers, body })
  await fetch(`${service}/items/x?access_token=${SECRET.query}`, { headers })
  await fetch(`${service}/items/x`, {
    headers: {
      authorization: `Basic ${Buffer.from(`sandbox@example.test:${SECRET.api}`).toString('base64')}`,
    },
  })
  await fetch(`${service}/items/the-last-call`, { headers })

  const events = await readEvents(bench, benchToken, 'the-last-call')
  const printed = await Promise.all(
    ['requests', 'registrations', 'readings', 'clock', 'jobs', 'doctor'].map((command) =>
      shop.run(command, '--json'),
    ),
  )
  const register = 'register https://localhost:9/x --type items --client-secret'.split(' ')
  const refused = await shop.run(...register, SECRET.wrong)
  await shop.run('snapshot', 'save', 'world.json')
  const code = await end('SIGTERM')

  const secrets = {
    ...SECRET,
    access_token,
    benchToken,
    basic: Buffer.from(`sandbox@example.test:${SECRET.api}`).toString('base64'),
  }
  const texts: (readonly [string, string])[] = [
    ['the lines of up', JSON.stringify(ready)],
    ['the events', events],
    ...[...printed, refused].map(({ stdout, stderr }) => ['a command', stdout + stderr] as const),
    ...filesIn(shop.folder).map((name) => [name, readFileSync(join(shop.folder, name), 'latin1')] as const),
  ]
  const found = texts.flatMap(([where, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) =>
      text.includes(secret) ? [`${name} in ${where}`] : [],
    ),
  )

  expect([granted.status, set.status, code]).toEqual([200, 201, 0])
  expect(events).toContain('the-last-call')
  expect(found.toSorted()).toEqual([
    'benchToken in .hookbench/token',
    'signature in .hookbench/store.sqlite',
    'signature in world.json',
  ])
})
