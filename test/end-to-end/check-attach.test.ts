import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openWorkshop } from '../support/program.ts'

const shop = openWorkshop()

afterAll(() => shop.close())

interface Report {
  readonly summary: Readonly<Record<string, number>>
  readonly checks: readonly { readonly id: string; readonly verdict: string }[]
}

/** A sandbox that runs, with a receiver that is registered there. */
async function open() {
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
  return { up, receiver, world, bench: String(up.ready['bench_url']) }
}

test('a sandbox that runs judges as one of the run’s own would, and is as it was afterwards', async () => {
  const { up, receiver, world, bench } = await open()
  const before = await world()

  const attached = await shop.run('check', receiver.url, 'http', '--attach', bench, '--json')
  const own = await shop.run('check', receiver.url, 'http', '--port', '0', '--json')

  const [one, other]: readonly Report[] = [attached, own].map(({ stdout }) => JSON.parse(stdout))
  const verdicts = (report: Report | undefined) => report?.checks.map(({ id, verdict }) => `${id} ${verdict}`)
  expect(verdicts(one)).toEqual(verdicts(other))
  expect(one?.summary).toMatchObject({ inconclusive: 0 })
  expect(await world()).toEqual(before)
  // What the checks did is no news for who looks at the sandbox: the first change that nobody heard of is this one.
  await shop.run('create', 'users')
  expect(await up.event({ event: 'unsubscribed' })).toMatchObject({ object_type: 'users' })
  expect(await up.end('SIGTERM')).toBe(0)
})

const KEPT = join(shop.folder, '.hookbench/before-check.json')

test('a run that a signal ends puts the world back, and one that is killed leaves it: the next one says how it comes back', async () => {
  const { up, receiver, bench } = await open()
  const world = () => shop.json('registrations')
  const before = await world()
  const start = async () => {
    const run = shop.start('check', receiver.url, '--attach', bench)
    await run.line(/^Putting \d+ checks/)
    return run
  }

  const isKept: boolean[] = []
  const stopped = await start()
  isKept.push(existsSync(KEPT))
  // npm passes on what its child has got from the terminal already.
  await stopped.end('SIGINT', 'SIGTERM')
  isKept.push(existsSync(KEPT))
  expect([isKept, await world()]).toEqual([[true, false], before])

  await (await start()).end('SIGKILL')
  const next = () => shop.run('check', receiver.url, 'http', '--attach', bench)
  let refused = await next()
  // Until it is known that nobody uses the world any more.
  while (/a run on \S+ has used this world since/.test(refused.stderr)) refused = await next()
  const [, command = ''] = /put it back with "npx hookbench ([^"]*)"/.exec(refused.stderr) ?? []
  const restored = await shop.run(...command.split(' '))

  expect([refused.code, restored.code, await world()]).toEqual([2, 0, before])
  expect(await up.end('SIGTERM')).toBe(0)
})
