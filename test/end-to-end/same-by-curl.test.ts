import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type {
  CraftedDeliveryPage,
  FaultList,
  JobDetail,
  JobPage,
  PaymentPage,
  RequestPage,
} from '../../spec/generated/control-types.ts'
import { PROGRAM } from '../support/installed-package.ts'
import { openWorkshop } from '../support/program.ts'

const SCRIPTS = join(dirname(fileURLToPath(import.meta.url)), 'scripts')

/** Runs a script against a new sandbox and receiver, and returns all records without ports and real time. */
async function recordsAfter(script: string) {
  const shop = openWorkshop({ HOOKBENCH_TOKEN: 'fb7d02fe29e34436d939e8c5a94a6408' })
  try {
    return await runScript(script, shop)
  } finally {
    shop.close()
  }
}

async function runScript(script: string, shop: ReturnType<typeof openWorkshop>) {
  const up = await shop.up('--clock', 'manual', '--seed', '7')
  const receiver = await shop.receiver()
  const origin = new URL(receiver.url).origin
  const shims = join(shop.folder, 'bin')
  mkdirSync(shims)
  writeFileSync(join(shims, 'hookbench'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, {
    mode: 0o755,
  })
  const { stdout } = await promisify(execFile)('bash', [join(SCRIPTS, script)], {
    cwd: shop.folder,
    env: {
      HOME: shop.folder,
      PATH: `${shims}:${process.env['PATH']}`,
      RECEIVER: origin,
      SERVICE: String(up.ready['service_url']),
      HOOKBENCH_URL: String(up.ready['bench_url']),
      HOOKBENCH_TOKEN: 'fb7d02fe29e34436d939e8c5a94a6408',
    },
  })
  const { jobs } = await shop.json<JobPage>('jobs')
  const details = await Promise.all(jobs.map(({ id }) => shop.json<JobDetail>('job', id)))
  const records = {
    details,
    payments: await shop.json<PaymentPage>('payments'),
    faults: await shop.json<FaultList>('faults'),
    deliveries: await shop.json<CraftedDeliveryPage>('deliveries'),
    requests: await shop.json<RequestPage>('requests', '--operation', 'createWebhook'),
  }
  const text = JSON.stringify(records)
    .replaceAll(origin, 'https://receiver')
    // A slow machine opens a new connection for only one of both.
    .replaceAll(/"(?:resolved|reached)_ms":[\d.]+,/g, '')
    .replaceAll(/"(\w+_ms|user_agent|real_at|date)":("[^"]*"|[\d.]+|null)/g, '"$1":"…"')
    .replaceAll(/\["date","[^"]*"\]/gi, '["date","…"]')
  return { stdout, received: receiver.received, records: JSON.parse(text) as typeof records }
}

const byCommands = recordsAfter('hookbench.sh')
byCommands.catch(() => {})

test('the commands and equal calls by curl leave equal records', { tags: ['bash', 'curl'] }, async () => {
  const byCommand = await byCommands
  const byCurl = await recordsAfter('curl.sh')

  const { id: _, ...asked } = byCurl.records.requests.requests[0] ?? expect.fail('no call')
  const { id: __, ...called } = byCommand.records.requests.requests[0] ?? expect.fail('no call')
  expect(called).toEqual(asked)
  expect({ ...byCommand.records, requests: null }).toEqual({ ...byCurl.records, requests: null })
  expect(byCommand.received).toEqual(byCurl.received)
})

test('the script plays, breaks, advances, inspects and resends', async () => {
  const { records, received, stdout } = await byCommands

  const attempts = records.details.map(({ job, attempts: made }) => [
    job.state,
    ...made.map(({ status, reason, manual, faults }) => [
      status ?? reason,
      manual,
      faults.map(({ kind }) => kind).join(),
    ]),
  ])
  expect(attempts).toEqual([
    ['batched', [204, false, 'duplicate']],
    ['bank_processing', [204, false, '']],
    [
      'failed_direct_debit',
      ['header_timeout', false, 'lost-answer'],
      ['header_timeout', false, 'lost-answer'],
      [204, true, ''],
    ],
  ])
  expect(received).toHaveLength(8)
  expect(records.deliveries.deliveries).toMatchObject([{ crafted: true, exchanges: [{ status: 204 }] }])
  expect(stdout).toContain('Settled, with nothing due or in flight')
})
