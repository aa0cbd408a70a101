import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { World, WorldList } from '../../spec/generated/control-types.ts'
import type { ReachableWorld } from '../../sandbox/cli/worlds-command.ts'
import { runProgram } from '../../sandbox/cli/program.ts'
import { duringFile } from '../support/lifetimes.ts'
import { startWalk } from '../support/walk.ts'

const walk = duringFile(startWalk)

interface Ended {
  readonly code: typeof process.exitCode
  readonly stdout: string
  readonly stderr: string
}

const root = () => ({ HOOKBENCH_URL: walk.sandbox.benchUrl, HOOKBENCH_TOKEN: 'a-token-of-the-run' })

async function runWith(env: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Ended> {
  const printed = { stdout: '', stderr: '' }
  const { log, error, exitCode } = { ...console, exitCode: process.exitCode }
  const streams = [process.stdout, process.stderr].map(
    (stream) => [stream, stream.listeners('error')] as const,
  )
  console.log = (text: string) => void (printed.stdout += `${text}\n`)
  console.error = (text: string) => void (printed.stderr += `${text}\n`)
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  try {
    process.exitCode = 0
    await runProgram(['node', 'hookbench', ...words], [])
    return { code: process.exitCode, ...printed }
  } finally {
    Object.assign(console, { log, error })
    process.exitCode = exitCode
    vi.unstubAllEnvs()
    for (const [stream, before] of streams)
      for (const listener of stream.rawListeners('error'))
        if (!before.includes(listener)) stream.off('error', listener as () => void)
  }
}

/** The environment contains the sandbox's address, so no folder is needed. */
const NO_FOLDER = ['--data', 'none']

const run = (...words: readonly string[]) => runWith(root(), ...words, ...NO_FOLDER)

async function json<Printed>(...words: readonly string[]): Promise<Printed> {
  const { code, stdout, stderr } = await run(...words, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

const names = async () => (await json<WorldList>('worlds')).worlds.map(({ name }) => name)

function toVariables(lines: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...lines.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
}

test('with the environment that is printed by "worlds add", commands and a platform connect only to the new world', async () => {
  const added = await run('worlds', 'add', 'anna')
  const env = toVariables(added.stdout)
  const created = await runWith(env, 'create', 'items', ...NO_FOLDER)
  const objects = async (...world: readonly string[]) => (await run('objects', 'items', ...world)).stdout
  const registered = await runWith(env, 'register', walk.urlFor('webhooks', 'items'), '--type', 'items')
  const list = await runWith(env, 'registrations', '--json')
  const shown = await run('worlds', 'show', 'anna')

  expect(added.stdout.split('\n').filter((line) => !/^(#.*|export \w+=\S+|)$/.test(line))).toEqual([])
  expect(Object.keys(env)).toEqual([
    'HOOKBENCH_SERVICE_URL',
    'HOOKBENCH_CLIENT_ID',
    'HOOKBENCH_CLIENT_SECRET',
    'HOOKBENCH_EMAIL',
    'HOOKBENCH_API_TOKEN',
    'HOOKBENCH_URL',
    'HOOKBENCH_WORLD',
    'HOOKBENCH_TOKEN',
  ])
  expect([created.code, created.stdout]).toEqual([0, expect.stringMatching(/--type items .*--world anna\)/)])
  expect(await objects('--world', 'anna')).toContain('pending')
  expect(await objects()).toBe('No items\n')
  expect([registered.code, JSON.parse(list.stdout).registrations.length]).toEqual([0, 1])
  expect((await run('registrations')).stdout).toMatch(/^No registrations/)
  expect(shown.stdout).toBe(added.stdout)
})

test('a command reports the expiry of its world after --ttl', async () => {
  const env = toVariables((await run('worlds', 'add', 'brief', '--ttl', '1s')).stdout)
  await expect.poll(names, { timeout: 5_000 }).not.toContain('brief')

  const { code, stderr } = await runWith(env, 'jobs')

  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /The world of this token no longer exists: its --ttl ended at \d{4}-.*Z, or the world was removed/,
    ),
  ])
})

test('the command "worlds" adds, copies, lists, shows and removes worlds', async () => {
  const own = '--client-id shop --client-secret hush --email a@shop.test --api-token hush-2'.split(' ')
  const add = 'worlds add shop --ttl 7d --clock manual'.split(' ')
  const added = await json<ReachableWorld>(...add, ...own)
  await run('create', 'items', 'name=Sofa', '--world', 'shop')
  const copy = await json<ReachableWorld>('worlds', 'copy', 'shop', 'branch', '--ttl', '30m')
  const lasts = ({ created_at, expires_at }: World) => Date.parse(expires_at ?? '') - Date.parse(created_at)
  const { stdout } = await run('worlds')

  expect(added).toMatchObject({
    client_id: 'shop',
    access: { client_id: 'shop', client_secret: 'hush', email: 'a@shop.test', api_token: 'hush-2' },
    service_url: walk.sandbox.serviceUrl,
    bench_url: walk.sandbox.benchUrl,
  })
  expect([lasts(added), lasts(copy)]).toEqual([7 * 86_400_000, 30 * 60_000])
  expect(await json('clock', '--world', 'shop')).toMatchObject({ mode: 'manual' })
  expect((await run('objects', 'items', '--world', 'branch')).stdout).toContain('pending')
  expect(copy.access.client_id).not.toBe('shop')
  expect(stdout).toMatch(
    new RegExp(`^branch +(open|closed) +${copy.client_id} .* ${copy.expires_at ?? ''}$`, 'm'),
  )
  expect(await json<ReachableWorld>('worlds', 'show', 'branch')).toMatchObject({ access: copy.access })

  expect(await json<World>('worlds', 'remove', 'branch')).toMatchObject({ name: 'branch' })
  expect((await run('worlds', 'remove', 'shop')).stdout).toBe('Removed world "shop" with its contents\n')
  expect(await names()).not.toEqual(expect.arrayContaining(['shop']))
})

test('the command "worlds add --from" starts from a snapshot and adds no world when the snapshot is rejected', async () => {
  const file = (name: string) => join(walk.folder, name)
  await run('worlds', 'add', 'first')
  await run('create', 'items', '--world', 'first')
  await run('snapshot', 'save', file('template.json'), '--world', 'first')
  writeFileSync(file('cut.json'), '{"format":')

  const added = await json<ReachableWorld>('worlds', 'add', 'second', '--from', file('template.json'))
  const cut = await run('worlds', 'add', 'third', '--from', file('cut.json'))
  const missing = await run('worlds', 'add', 'third', '--from', file('nothing.json'))

  expect(added).toMatchObject({ name: 'second', open: true })
  expect((await run('objects', 'items', '--world', 'second')).stdout).toContain('pending')
  expect([cut.code, cut.stderr]).toEqual([
    2,
    `hookbench: Cannot add world "third" from "${file('cut.json')}": the input does not consist of JSON lines, or was cut off. The command removed the world again. Give an unchanged file from "snapshot save"\n`,
  ])
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringMatching(/^hookbench: Cannot read .*the path does not exist/),
  ])
  expect(await names()).not.toContain('third')
})

test.each([
  [['worlds', 'add', 'new'], 2, /^hookbench: Cannot call a world "new": .*\. Give the world another name$/],
  [
    ['worlds', 'add', 'x', '--ttl', '7'],
    2,
    /^hookbench: Cannot use --ttl "7": the value must be a duration from 1s to 366d/,
  ],
  [
    ['jobs', '--world', 'near-bz'],
    1,
    /^hookbench: Cannot find world "near-bz". Did you mean "near-by"\? List the existing worlds with "npx hookbench worlds/,
  ],
  [
    ['worlds', 'show', 'far-away'],
    1,
    /^hookbench: Cannot find world "far-away"\. The --ttl of the world may have expired\. Add the world, or list the existing worlds/,
  ],
  [['worlds', 'lst'], 2, /^hookbench: Cannot run "worlds lst"/],
])('the command "worlds" rejects %j and explains the fix', async (words, code, message) => {
  if (!(await names()).includes('near-by')) await run('worlds', 'add', 'near-by')

  const ended = await run(...words)

  expect([ended.code, ended.stderr.trim()]).toEqual([code, expect.stringMatching(message)])
})

test('the command "worlds add --replace" replaces or adds a world with the specified name', async () => {
  const first = await json<ReachableWorld>('worlds', 'add', 'nightly', '--replace')
  const refused = await run('worlds', 'add', 'nightly')

  const second = await json<ReachableWorld>('worlds', 'add', 'nightly', '--replace')

  expect(refused.code).not.toBe(0)
  expect((await names()).filter((name) => name === 'nightly')).toHaveLength(1)
  expect(second.access.control_token).not.toBe(first.access.control_token)
})
