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

const world = (name: string, open: boolean): World => ({
  name,
  open,
  created_at: CREATED,
  expires_at: null,
  client_id: `${name}-id`,
  email: 'e',
})

/** What `worlds` prints of these. */
async function printOf(listed: readonly World[]): Promise<string> {
  worlds = listed
  const { port } = server.address() as AddressInfo
  vi.stubEnv('HOOKBENCH_URL', `http://127.0.0.1:${port}`)
  vi.stubEnv('HOOKBENCH_TOKEN', 'x')
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => {
    vi.unstubAllEnvs()
    log.mockRestore()
  })
  await (await loadProgram('worlds')).parseAsync(['node', 'hookbench', 'worlds'])
  return log.mock.calls.flat().join('\n')
}

const cells = (table: string) => table.split('\n').map((line) => line.trimEnd().split(/ {2,}/))

test('worlds lists each world with its state and credentials', async () => {
  const table = cells(await printOf([world('default', true), world('anna', false)]))

  expect(table).toEqual([
    ['WORLD', 'STATE', 'CLIENT ID', 'E-MAIL', 'CREATED', 'ENDS'],
    ['default', 'open', 'default-id', 'e', CREATED],
    ['anna', 'closed', 'anna-id', 'e', CREATED],
  ])
})
