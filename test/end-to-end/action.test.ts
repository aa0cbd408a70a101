/** @module-tag bash */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { killProcess, openRunner, type Job } from '../support/ci-job.ts'
import { useWorkshop } from '../support/workshop.ts'
import { freePorts } from '../support/free-ports.ts'

const MAIN = new URL('../receivers/receiver-main.ts', import.meta.url).pathname
const TOKEN = '3f9c1d2ab47e80513f9c1d2ab47e8051'

/** Runs the GitHub action in a workflow. The receiver under test reads the service URL from its environment. */
async function runWorkflow(
  defect: string,
  shared?: { readonly attach: string; readonly token: string; readonly data: string },
): Promise<{ readonly job: Job; readonly folder: string }> {
  const runner = openRunner()
  const folder = join(runner.workspace, 'platform')
  mkdirSync(folder)
  onTestFinished(() => {
    killProcess(join(folder, 'receiver.pid'))
    runner.remove()
  })
  const [port, effectsPort] = await freePorts(2)
  const config = {
    receiver: { url: `https://localhost:${port}/notifications/{object_type}/${TOKEN}`, callsBack: true },
    effects: { http: `http://127.0.0.1:${effectsPort}/effects/{object_type}/{id}` },
  }
  writeFileSync(join(folder, 'hookbench.config.json'), JSON.stringify(config))
  const certificates = shared === undefined ? '.' : shared.data
  const job = runner.run({
    ...(shared === undefined
      ? { cert: 'localhost', port: '0' }
      : { attach: shared.attach, token: shared.token }),
    'working-directory': 'platform',
    start: `echo $$ > receiver.pid
exec '${process.execPath}' '${MAIN}' --cert ${certificates}/localhost.crt.pem --key ${certificates}/localhost.key.pem --data data \\
  --token ${TOKEN} --port ${port} --effects-port ${effectsPort} ${defect}`,
    'wait-for': `https://localhost:${port}/`,
    checks: 'trust/lying-body\nregistration/accepts-test-post\n',
    require: 'calls\neffects\n',
  })
  return { job, folder }
}

test('the action starts a receiver, checks the receiver and writes reports', async () => {
  const { job, folder } = await runWorkflow('')

  expect(job.steps.map(({ name, status, stderr }) => [name, status, stderr])).toEqual([
    ['Check the inputs', 0, ''],
    ['Find Node', 0, ''],
    ['Install Hookbench', 0, ''],
    ['Make a certificate', 0, ''],
    ['Choose the port of the service', 0, ''],
    ['Start the receiver', 0, ''],
    ['Wait for the receiver', 0, ''],
    ['Check the receiver', 0, ''],
  ])
  const { stdout = '' } = job.steps.at(-1) ?? {}
  expect(stdout).toContain(String(job.outputs['service']?.['url']))
  expect(stdout).not.toContain('::error')
  expect(job.summary).toMatch(/^## /)
  const reports = join(folder, 'hookbench-reports')
  expect(job.used['actions/upload-artifact']).toMatchObject({ path: reports })
  const { checks } = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8'))
  expect(checks).toMatchObject([{ verdict: 'passed' }, { verdict: 'passed' }])
})

test('each failure becomes an annotation that names no file', async () => {
  const { job } = await runWorkflow('--defect asks-back-and-believes-the-body')
  const { status, stdout = '' } = job.steps.at(-1) ?? {}

  expect(status).toBe(1)
  expect(stdout).toMatch(/^::error title=trust\/lying-body::\S/m)
  expect(job.outputs['check']?.['exit-code']).toBe('1')
  expect(job.summary).toContain('trust/lying-body')
})

test('the action creates a separate world for its receiver in a running sandbox', async () => {
  const shop = useWorkshop()
  const up = await shop.up()
  await shop.run('cert', 'localhost')
  const token = readFileSync(join(shop.folder, '.hookbench/token'), 'utf8').trim()
  const { job, folder } = await runWorkflow('', {
    attach: String(up.ready['bench_url']),
    token,
    data: shop.folder,
  })

  expect(job.steps.map(({ name, status, stderr }) => [name, status, stderr])).toEqual([
    ['Check the inputs', 0, ''],
    ['Find Node', 0, ''],
    ['Install Hookbench', 0, ''],
    ['Find the sandbox', 0, ''],
    ['Start the receiver', 0, ''],
    ['Wait for the receiver', 0, ''],
    ['Check the receiver', 0, ''],
  ])
  const { world, checks } = JSON.parse(readFileSync(join(folder, 'hookbench-reports/report.json'), 'utf8'))
  expect([world, checks]).toMatchObject(['new', [{ verdict: 'passed' }, { verdict: 'passed' }]])
  const secret = job.outputs['sandbox']?.['client-secret'] ?? ''
  expect(job.steps[3]?.stdout).toContain(`::add-mask::${secret}\n`)
  expect(job.steps.at(-1)?.stdout).not.toContain(secret)
  expect((await shop.run('worlds', '--json')).stdout).not.toContain('job-')
})
