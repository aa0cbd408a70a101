import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Receiver, Up } from '../support/program.ts'
import { useWorkshop } from '../support/workshop.ts'
import { prepareJobReceiver } from './job-receiver.ts'

const ONE = 'registration/accepts-test-post'
const shop = useWorkshop()
let up: Up
let receiver: Receiver

beforeAll(async () => {
  up = await shop.up('--memory', '--clock', 'manual')
  receiver = await shop.receiver()
})

const servicePort = () => new URL(String(up.ready['service_url'])).port

test('the command "check" offers --attach when a sandbox runs on its data folder', async () => {
  const { code, stderr } = await shop.run('check', receiver.url, ONE, '--port', servicePort())

  expect(code).toBe(2)
  expect(stderr).toContain(
    `Cannot listen on port ${servicePort()}: the sandbox of data folder ".hookbench" uses the port. Run the checks in that sandbox with --attach`,
  )
  expect(stderr).toContain('--port 0')
})

test('the command "check --attach" without an address uses the sandbox of the data folder', async () => {
  const { code, stdout, stderr } = await shop.run('check', receiver.url, ONE, '--attach')

  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`bench     ${String(up.ready['bench_url'])}`)
})

async function configOf(name: string): Promise<string> {
  const { config } = await prepareJobReceiver(join(shop.folder, name), { cert: shop.folder })
  writeFileSync(join(shop.folder, `${name}.json`), JSON.stringify({ ...config, port: 0 }))
  return `${name}.json`
}

test('each parallel run starts and stops its own receiver and gives the receiver the address of its own service', async () => {
  const files = [await configOf('one'), await configOf('two')]

  const runs = await Promise.all(files.map((file) => shop.run('check', 'trust/lying-body', '--config', file)))
  const again = await shop.run('check', 'trust/lying-body', '--config', 'one.json')

  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
  expect(runs[0]?.stdout).toMatch(/service +http:\/\/127\.0\.0\.1:\d+ .*HOOKBENCH_SERVICE_URL/)
  // If the receiver had survived the first run, it would still use the port.
  expect([again.code, readFileSync(join(shop.folder, 'one/log'), 'utf8')]).toEqual([
    0,
    expect.not.stringContaining('EADDRINUSE'),
  ])
})
