import { afterAll, expect, test } from 'vitest'
import type { JobDetail, ObjectRecord } from '../../spec/generated/control-types.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CALL } from '../support/installed-package.ts'
import { openWorkshop } from '../support/program.ts'

const shop = openWorkshop()

afterAll(() => shop.close())

test('ready names the sandbox of the data folder, and down stops it and says so where none runs', async () => {
  const up = await shop.up()
  const other = await shop.up('--memory', '--data', 'other')

  const { service_url, bench_url } = up.ready
  const ready = await shop.json('ready')
  const stopped = await shop.run('down')
  const again = await shop.run('down')
  const answers = await shop.run('clock', '--data', 'other')

  expect(ready).toMatchObject({ status: 'ready', ready: true, service_url, bench_url })
  expect(stopped).toEqual({ code: 0, stdout: `Stopped the sandbox of process ${up.pid}\n`, stderr: '' })
  expect(await up.event({ event: 'stopped' })).toEqual({ event: 'stopped' })
  expect(again).toEqual({ code: 0, stdout: 'No sandbox runs on data folder ".hookbench"\n', stderr: '' })
  expect(answers.code).toBe(0)
  expect(await shop.json('down', '--data', 'other')).toEqual({ stopped: true, pid: other.pid })
})

test('resend of a delivered job names the working command for another delivery', async () => {
  await shop.up('--clock', 'manual', '--data', 'mine')
  const cert = await shop.json<Record<string, string>>('cert', 'localhost', '--data', 'mine')
  const pem = (name: string) => readFileSync(join(shop.folder, String(cert[name])), 'utf8')
  const receiver = await shop.receiver({ cert: pem('certificate'), key: pem('key') })
  await shop.run('register', receiver.url, '--type', 'items', '--data', 'mine')
  const { id } = await shop.json<ObjectRecord>('create', 'items', '--data', 'mine')
  await shop.run('settle', '--data', 'mine')
  const { jobs } = await shop.json<{ jobs: readonly JobDetail['job'][] }>(
    'jobs',
    '--object',
    id,
    '--data',
    'mine',
  )
  const sent = receiver.received.at(-1)

  const { code, stderr } = await shop.run('resend', String(jobs[0]?.id), '--data', 'mine')
  const command =
    new RegExp(`"${CALL} (?<command>[^"]*)"$`, 'm').exec(stderr)?.groups?.['command']?.split(' ') ?? []
  const delivered = await shop.run(...command)

  expect([code, command]).toEqual([1, ['deliver', '--job', jobs[0]?.id, '--data', 'mine']])
  expect(delivered.code).toBe(0)
  expect(receiver.received.slice(-2)).toEqual([sent, sent])
})
