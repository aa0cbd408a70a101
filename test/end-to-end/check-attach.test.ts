import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useWorkshop } from '../support/workshop.ts'

const shop = useWorkshop()

interface Report {
  readonly summary: Readonly<Record<string, number>>
  readonly checks: readonly { readonly id: string; readonly verdict: string }[]
}

async function open() {
  const up = await shop.up('--clock', 'manual')
  const receiver = await shop.receiver()
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

test('a run in an attached sandbox has the same verdicts as in a private sandbox, and restores the world', async () => {
  const { up, receiver, world, bench } = await open()
  const before = await world()

  const attached = await shop.run('check', receiver.url, 'http', '--attach', bench, '--json')
  const own = await shop.run('check', receiver.url, 'http', '--port', '0', '--json')

  const [one, other]: readonly Report[] = [attached, own].map(({ stdout }) => JSON.parse(stdout))
  const verdicts = (report: Report | undefined) => report?.checks.map(({ id, verdict }) => `${id} ${verdict}`)
  expect(verdicts(one)).toEqual(verdicts(other))
  expect(one?.summary).toMatchObject({ inconclusive: 0 })
  expect(await world()).toEqual(before)
  // The event stream omits changes by checks, so the next event is about the user created here.
  await shop.run('create', 'users')
  expect(await up.event({ event: 'unsubscribed' })).toMatchObject({ object_type: 'users' })
  expect(await up.end('SIGTERM')).toBe(0)
})

const KEPT = join(shop.folder, '.hookbench/before-check.json')

test.each([
  // In a terminal, the command can get two signals, because npm forwards the signal to its child.
  ['SIGINT and SIGTERM end the run', ['SIGINT', 'SIGTERM']],
  ['SIGHUP ends the run', ['SIGHUP']],
] as const)('the command "check --attach" restores the world when %s', async (_, signals) => {
  const { up, receiver, bench } = await open()
  const world = () => shop.json('registrations')
  const before = await world()
  const run = shop.start('check', receiver.url, '--attach', bench)
  await run.line(/^Running \d+ checks/)
  const isKept = existsSync(KEPT)

  await run.end(...signals)

  expect([isKept, existsSync(KEPT), await world()]).toEqual([true, false, before])
  expect(await up.end('SIGTERM')).toBe(0)
})

test('every command explains how to restore the world after a killed run', async () => {
  const { up, receiver, bench } = await open()
  const before = await shop.json('registrations')
  const run = shop.start('check', receiver.url, '--attach', bench)
  await run.line(/^Running \d+ checks/)
  await run.end('SIGKILL')
  await up.end('SIGTERM')

  const again = await shop.up('--clock', 'manual')
  const said = [
    await shop.run('registrations'),
    await shop.run('doctor'),
    await shop.run('check', '--attach'),
    await shop.run('check', receiver.url, 'http', '--attach', String(again.ready['bench_url'])),
  ].map(({ stdout, stderr }) => stdout + stderr)
  const [, command = ''] = /restore the world with "npx hookbench ([^"]*)"/.exec(said[0] ?? '') ?? []
  const restored = await shop.run(...command.split(' '))
  const after = await shop.run('registrations')
  const restoredWorld = await shop.json('registrations')
  await again.end('SIGTERM')

  const { stderr } = await again.ended()
  expect([...said, stderr].filter((text) => !text.includes(`with "npx hookbench ${command}"`))).toEqual([])
  expect([restored.code, after.stderr, existsSync(KEPT), restoredWorld]).toEqual([0, '', false, before])
})
