import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { World } from '../../../spec/generated/control-types.ts'
import { loadProgram } from '../../support/all-commands.ts'

let worlds: readonly World[] = []

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ worlds }))
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

const CREATED = '2026-01-01T00:00:00.000Z'

function world(name: string, node?: string): World {
  const open = node !== undefined
  const client_id = `${name}-id`
  return {
    name,
    open,
    ...(node !== undefined && { node }),
    created_at: CREATED,
    expires_at: null,
    client_id,
    email: 'e',
  }
}

/** What `worlds` prints of these. */
async function printOf(listed: readonly World[], ...options: readonly string[]): Promise<string> {
  worlds = listed
  const { port } = server.address() as AddressInfo
  vi.stubEnv('HOOKBENCH_URL', `http://127.0.0.1:${port}`)
  vi.stubEnv('HOOKBENCH_TOKEN', 'x')
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => {
    vi.unstubAllEnvs()
    log.mockRestore()
  })
  await (await loadProgram('worlds')).parseAsync(['node', 'hookbench', 'worlds', ...options])
  return log.mock.calls.flat().join('\n')
}

const cells = (table: string) => table.split('\n').map((line) => line.trimEnd().split(/ {2,}/))

test('worlds names the node of each where several use one PostgreSQL', async () => {
  const listed = [world('default', 'one'), world('anna', 'two'), world('ben')]

  const table = cells(await printOf(listed))

  expect(table.map((row) => row.slice(0, 4))).toEqual([
    ['WORLD', 'STATE', 'NODE', 'CLIENT ID'],
    ['default', 'open', 'one', 'default-id'],
    ['anna', 'open', 'two', 'anna-id'],
    // Nobody has it.
    ['ben', 'closed', 'ben-id', 'e'],
  ])
})

test('worlds --json has the node of each, too', async () => {
  const listed = [world('default', 'one'), world('ben')]

  const printed: { worlds: readonly World[] } = JSON.parse(await printOf(listed, '--json'))

  expect(printed.worlds.map(({ node }) => node)).toEqual(['one', undefined])
})

test('worlds names no node where there is one sandbox only', async () => {
  const [headings] = cells(await printOf([world('default'), world('anna')]))

  expect(headings).toEqual(['WORLD', 'STATE', 'CLIENT ID', 'E-MAIL', 'CREATED', 'ENDS'])
})
