import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { issueForLocalhost, type TestCertificate } from '../support/certificates.ts'
import { useWorkshop } from '../support/workshop.ts'
import { duringTest } from '../support/lifetimes.ts'
import { serveHttp } from '../support/scripted-server.ts'

const workshop = useWorkshop()
let certificate: TestCertificate

beforeAll(async () => {
  certificate = await issueForLocalhost(workshop.folder)
})

/** Opens a shop. `releases` takes the number of a payment and returns how many times the shop releases this payment. */
async function openShop(releases: (number: number) => number = () => 1) {
  const effects = new Map<string, number>()
  let count = 0
  async function take(request: IncomingMessage): Promise<void> {
    const { transactions } = JSON.parse(await text(request))
    // A body without transactions is the test POST.
    if (transactions === undefined) return
    effects.set(transactions.id, (effects.get(transactions.id) ?? 0) + releases(++count))
  }
  const receiving = serveHttp(
    (request, response) => void take(request).then(() => response.writeHead(204).end()),
    certificate,
  )
  const showing = serveHttp((request, response) => {
    const id = (request.url ?? '').split('/').at(-1) ?? ''
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ effects: effects.get(id) ?? 0, state: null }))
  })
  return {
    url: `${(await duringTest(receiving)).origin}/notifications/{object_type}`,
    effects: `${(await duringTest(showing)).origin}/effects/{object_type}/{id}`,
  }
}

test('the command "load" reports each lost payment when a shop loses one payment in a hundred', async () => {
  const { url, effects } = await openShop((number) => (number % 100 === 50 ? 0 : 1))
  const place = ['load', url, '--effects', effects, '--port', '0', '--settle', '500']
  const content = ['--rate', '100', '--for', '2s', '--payments', 'npp-payin', '--json']
  const { code, stdout } = await workshop.run(...place, ...content)

  const report = JSON.parse(stdout)
  expect([code, report.conclusion, report.accepted]).toEqual([1, 'failed', 200])
  expect(report.books).toMatchObject({ objects: 200, compared: 200, differing: 2 })
  expect(report.books.differences).toMatchObject([
    { object_type: 'transactions', kind: 'missing-effect', expected: 'one effect', actual: 'no effect' },
    { object_type: 'transactions', kind: 'missing-effect', expected: 'one effect', actual: 'no effect' },
  ])
})

test('a load run against a registered receiver in a running sandbox restores the world at the end', async () => {
  const { ready } = await workshop.up()
  const { url, effects } = await openShop()
  await workshop.run('register', url.replace('{object_type}', 'transactions'), '--type', 'transactions')
  await workshop.run('create', 'items')
  const world = async () => [
    await workshop.json('registrations'),
    await workshop.json('objects', 'items'),
    await workshop.json('jobs'),
  ]
  const before = await world()

  const load = `load --effects ${effects} --rate 20 --for 1s --json`.split(' ')
  const { stdout, stderr } = await workshop.run(...load)

  const report = JSON.parse(stdout)
  expect(stderr).toContain(`Your receiver can call the service at ${String(ready['service_url'])}`)
  expect([report.accepted, report.books.differing]).toEqual([report.offered, 0])
  expect(report.receiver).toBe(url.replace('{object_type}', 'transactions'))
  expect(await world()).toEqual(before)
})

test.each([
  [['--mix', 'itemz'], 'Did you mean "items"?'],
  [['--payments', 'card-payin', '--rate', '2', '--for', '2s'], 'Cannot send card-payin: the share takes'],
  [['--html', 'nowhere/load.html'], 'Cannot write --html "nowhere/load.html"'],
  [['--html', '-', '--json'], 'Cannot print both --html and --json'],
])('the command "load" with %j exits with 2', async (flags, message) => {
  const { code, stderr } = await workshop.run('load', 'https://localhost:1/{object_type}', ...flags)

  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

test('Ctrl-C ends a load with the results so far', async () => {
  const receiver = await workshop.receiver(certificate)
  const content = ['--rate', '20', '--for', '10m', '--mix', 'items', '--html', 'cut.html']
  const cut = workshop.start('load', receiver.url, '--port', '0', ...content)
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(10)
  const code = await cut.end('SIGINT')
  const [sent, verdict] = [await cut.line(/^sent /), await cut.line(/You stopped the load after/)]

  expect([
    code,
    readFileSync(join(workshop.folder, 'cut.html'), 'utf8').includes('You stopped the load after'),
  ]).toEqual([null, true])
  expect(sent).toMatch(/^sent +(\d+) of \1 in/)
  expect(verdict).toMatch(/^\? You stopped the load after .* of 600 s, with no failure until then$/)
})
