import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { PROGRAM } from '../support/installed-package.ts'
import { useWorkshop } from '../support/workshop.ts'

const shop = useWorkshop()

beforeAll(async () => {
  await shop.up('--memory')
})

/** More data than the system can buffer. The write ends only after the command has read most of the data. */
const PADDING = ' '.repeat(4_000_000)

/** Runs a command. Sends the second half of the input after the command has read the first half. */
async function runSlowly(halves: readonly [string, string], ...args: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: shop.folder,
    env: { PATH: process.env['PATH'], HOME: shop.folder },
  })
  const ended = once(child, 'close')
  child.stdin.on('error', () => {})
  const [first, second] = halves
  child.stdin.write(first + PADDING, () => child.stdin.end(second))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code: child.exitCode, stdout, stderr }
}

test('the option --body @- waits for a slow writer', async () => {
  const args = ['faults', 'add', 'api', 'modified-show', '--body', '@-', '--json']

  const { code, stdout, stderr } = await runSlowly(['{"items":', '{"id":"x"}}'], ...args)

  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout).settings).toEqual({ body: { items: { id: 'x' } } })
})

test('the command "snapshot restore -" waits for a slow writer', async () => {
  const { stdout: snapshot } = await shop.run('snapshot', 'save', '-')

  const halves = [snapshot.slice(0, 1), snapshot.slice(1)] as const
  const { code, stderr } = await runSlowly(halves, 'snapshot', 'restore', '-')

  expect([code, stderr]).toEqual([0, ''])
})
