import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openWorkshop } from '../support/program.ts'

const shop = openWorkshop()

afterAll(() => shop.close())

interface Report {
  readonly summary: Readonly<Record<string, number>>
  readonly checks: readonly { readonly id: string; readonly verdict: string }[]
}

test('a sandbox that runs judges as one of the run’s own would, and is as it was afterwards', async () => {
  const up = await shop.up('--clock', 'manual')
  await shop.run('cert', 'localhost')
  const pem = (name: string) => readFileSync(join(shop.folder, name), 'utf8')
  const receiver = await shop.receiver({ cert: pem('localhost.crt.pem'), key: pem('localhost.key.pem') })
  await shop.run('register', receiver.url, '--type', 'items')
  await shop.run('create', 'items', 'name=Sofa')
  await shop.run('readings', 'set', 'retry-window', 'five-attempts')
  const world = async () => [
    await shop.json('registrations'),
    await shop.json('jobs'),
    await shop.json('readings'),
    await shop.json('clock'),
  ]
  const before = await world()

  const attached = await shop.run(
    'check',
    receiver.url,
    'http',
    '--attach',
    String(up.ready['bench_url']),
    '--json',
  )
  const own = await shop.run('check', receiver.url, 'http', '--port', '0', '--json')

  const [one, other]: readonly Report[] = [attached, own].map(({ stdout }) => JSON.parse(stdout))
  const verdicts = (report: Report | undefined) => report?.checks.map(({ id, verdict }) => `${id} ${verdict}`)
  expect(verdicts(one)).toEqual(verdicts(other))
  expect(one?.summary).toMatchObject({ inconclusive: 0 })
  expect(await world()).toEqual(before)
})
