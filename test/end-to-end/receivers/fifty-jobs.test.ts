import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runChecks } from '../../../contracts/index.ts'
import { startWithDefect } from '../../receivers/defects.ts'
import { startReceiver, type Receiver } from '../../receivers/receiver.ts'
import { findControlAddress } from '../../../sandbox/client/control-address.ts'
import { createControlClient } from '../../../sandbox/client/control-client.ts'
import { openWorkshop } from '../../support/program.ts'

// `npm run test:receivers` has it: as many jobs as a CI may run at once, on one sandbox.

const JOBS = 50
const CHECKS = ['registration/accepts-test-post', 'trust/lying-body', 'idempotency/same-delivery-again']

/** What a receiver does wrong, and which check says so; each job has the one whose turn it is. */
const DEFECTS = [
  ['', []],
  ['refuses-test-posts', ['registration/accepts-test-post']],
  ['asks-back-and-believes-the-body', ['trust/lying-body']],
  ['acts-on-each-delivery', ['idempotency/same-delivery-again']],
] as const

const shop = openWorkshop()
const receivers: Receiver[] = []

afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()))
  shop.close()
})

/** One that has credentials of its own. */
async function startJob(index: number, serviceUrl: string): Promise<Receiver> {
  const [defect] = DEFECTS[index % DEFECTS.length] ?? ['']
  const pem = (name: string) => readFileSync(join(shop.folder, name), 'utf8')
  const options = {
    cert: pem('localhost.crt.pem'),
    key: pem('localhost.key.pem'),
    port: 0,
    effectsPort: 0,
    token: '3f9c1d2ab47e80513f9c1d2ab47e8051',
    store: ':memory:',
    service: {
      url: serviceUrl,
      clientId: `job-${index}`,
      clientSecret: `secret-of-job-${index}`,
      // Longer than a busy machine takes.
      timeoutMs: 60_000,
    },
    onError: (error: unknown) => console.error(error),
  }
  const receiver = await (defect === '' ? startReceiver(options) : startWithDefect(defect, options))
  receivers.push(receiver)
  return receiver
}

test('fifty jobs on one sandbox each get the verdict on their own receiver, and nothing is left of them', async () => {
  const up = await shop.up('--clock', 'manual')
  await shop.run('cert', 'localhost')
  await shop.run('create', 'items', 'name=Sofa')
  const data = join(shop.folder, '.hookbench')
  const { url, token } = findControlAddress(data, {})
  const perform = createControlClient({ url, token })
  const headers = { authorization: `Bearer ${token}` }
  // A receiver that asks on when its world is gone is a stranger, and is noted where strangers are: in the default world.
  const snapshot = async () => {
    const response = await fetch(`${url}/control/snapshot`, { headers })
    const { requests: _, checksum: __, ...others } = JSON.parse(await response.text())
    return others
  }
  const before = await snapshot()

  const failures = await Promise.all(
    Array.from({ length: JOBS }, async (_, index) => {
      const { webhooks, processor } = await startJob(index, String(up.ready['service_url']))
      const { results } = await runChecks({
        data,
        receiver: { url: webhooks, callsBack: true },
        service: { attach: url, token, world: 'new' },
        credentials: { client_id: `job-${index}`, client_secret: `secret-of-job-${index}` },
        effects: { function: (type, id) => processor.readEffects(type, id) },
        checks: CHECKS,
        // One seed for all: in one world they would make, and be notified of, the same objects.
        seed: 7,
        // On a busy machine, fifty handshakes at once take longer than the service gives one delivery.
        readings: { 'delivery-deadline': '10m' },
        settleMs: 60_000,
      })
      // Why nothing was found out is not known afterwards: the world is gone.
      for (const { check, finding } of results)
        if (finding?.kind === 'inconclusive') console.error(`job-${index}: ${check.id}: ${finding.why}`)
      const verdicts = results.map(({ check, verdict }) => [check.id, verdict] as const)
      return verdicts.filter(([, verdict]) => verdict !== 'passed')
    }),
  )

  const expected = failures.map((_, index) =>
    DEFECTS[index % DEFECTS.length]?.[1].map((id) => [id, 'failed']),
  )
  expect(failures).toEqual(expected)
  expect((await perform('listWorlds')).worlds.map(({ name }) => name)).toEqual(['default'])
  expect(await snapshot()).toEqual(before)
})
