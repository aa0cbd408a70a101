import { readFileSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useWorkshop } from '../support/workshop.ts'
import { duringTest } from '../support/lifetimes.ts'
import { serveHttp } from '../support/scripted-server.ts'

const shop = useWorkshop()

type Answer = (response: ServerResponse, look: number) => void

async function openPlatform(show: Answer): Promise<string> {
  let looks = 0
  const opening = serveHttp(
    ({ method }, response) => {
      if (method === 'GET') show(response, looks++)
      else response.writeHead(204).end()
    },
    await shop.certificate(),
  )
  return (await duringTest(opening)).origin
}

const NOTHING = '{"effects": 0, "state": null, "amount": null, "currency": null}'
const ONE = 'registration/accepts-test-post'

const FAILURES: readonly (readonly [says: string, answer: (response: ServerResponse) => void])[] = [
  [
    'your platform answered 503. Also answer 200 for an unknown object',
    (response) => response.writeHead(503).end(),
  ],
  ['Start your platform, or correct the URL in "effects.http"', (response) => response.destroy()],
]

test.each(FAILURES)(
  'checks are inconclusive and reports are written when the effects page fails after its first response (%s)',
  async (says, fail) => {
    const origin = await openPlatform((response, look) =>
      look === 0 ? response.end(NOTHING) : fail(response),
    )
    const report = join(shop.folder, 'failing-page.json')
    rmSync(report, { force: true })

    const effects = `${origin}/effects/{object_type}/{id}`
    const checks = [ONE, 'idempotency/same-delivery-again']
    const args = [`${origin}/x`, ...checks, '--port', '0', '--effects', effects, '--report-json', report]
    const { code, stdout } = await shop.run('check', ...args)

    expect(code).toBe(3)
    expect(stdout).toContain('Nothing failed, but 1 required check could not be judged')
    const results = JSON.parse(readFileSync(report, 'utf8')).checks
    expect(results).toMatchObject([
      { id: ONE, verdict: 'passed' },
      { id: checks[1], verdict: 'inconclusive', actual: expect.stringContaining(says) },
    ])
    expect(results[1].actual).toContain(`effects.http at ${origin}/effects/`)
  },
)

test('a finding does not name the effects page when the page fails only during the calibration', async () => {
  const origin = await openPlatform((response, look) =>
    look === 1 ? response.destroy() : response.end(NOTHING),
  )
  const report = join(shop.folder, 'failing-once.json')

  const effects = `${origin}/effects/{object_type}/{id}`
  const args = ['--port', '0', '--effects', effects, '--report-json', report]
  await shop.run('check', `${origin}/x`, 'idempotency/same-delivery-again', ...args)

  expect(JSON.parse(readFileSync(report, 'utf8')).checks).toMatchObject([
    { verdict: 'inconclusive', actual: expect.not.stringContaining('effects.http') },
  ])
})
