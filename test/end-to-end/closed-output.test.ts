import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { PROGRAM } from '../support/installed-package.ts'

test('a sandbox continues to run after its standard output and standard error are closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-closed-'))
  // With `NODE_DEBUG=http`, Node writes to standard error for each request.
  const env = { PATH: process.env['PATH'], HOME: folder, NODE_DEBUG: 'http' }
  const up = spawn(process.execPath, [PROGRAM, 'up', '--json', '--port', '0', '--bench-port', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  up.stderr.resume()
  const [line] = (await once(createInterface({ input: up.stdout }), 'line')) as [string]
  const { service_url } = JSON.parse(line) as { readonly service_url: string }

  up.stdout.destroy()
  up.stderr.destroy()
  const statuses: number[] = []
  for (let count = 0; count < 3; count++) statuses.push((await fetch(`${service_url}/items`)).status)
  up.kill('SIGTERM')
  await once(up, 'exit')
  rmSync(folder, { recursive: true })

  expect([statuses, up.exitCode]).toEqual([[404, 404, 404], 0])
})
