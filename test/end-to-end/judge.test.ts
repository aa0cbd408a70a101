import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunDetail } from '../../spec/generated/control-types.ts'
import { createControlClient } from '../../sandbox/client/control-client.ts'
import { followEvents } from '../../sandbox/cli/events-command.ts'
import { findControlAddress } from '../../sandbox/client/control-address.ts'
import { duringTest } from '../support/lifetimes.ts'
import { CALL } from '../support/installed-package.ts'
import { useWorkshop } from '../support/workshop.ts'
import { registerReceiver } from '../support/receiver-program.ts'

const shop = useWorkshop()

async function open(defect?: string) {
  const up = await shop.up()
  const { effects } = await duringTest(
    registerReceiver(shop, { service: String(up.ready['service_url']), defect }),
  )
  writeFileSync(join(shop.folder, 'hookbench.config.json'), JSON.stringify({ effects: { http: effects } }))
  const address = findControlAddress(join(shop.folder, '.hookbench'), {})
  return { up, address, perform: createControlClient(address) }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Waits for a matching event of the run. Also accepts events that happened before the call. */
async function runEvent(
  { address }: Opened,
  isMeant: (data: Readonly<Record<string, unknown>>) => boolean,
): Promise<void> {
  const abortion = new AbortController()
  const options = { since: '0', signal: abortion.signal, onOutage: () => {} }
  for await (const { type, data } of followEvents(() => address, options)) {
    if (type === 'run' && isMeant(data)) return abortion.abort()
  }
}

test('rehearsals and checks use the registered receiver, report progress, and restore the world', async () => {
  const opened = await open('acts-on-each-delivery')
  const { perform, up } = opened
  const before = await perform('listRegistrations')

  const deliveries = [{ number: 1 }, { number: 1 }]
  const body = { kind: 'npp-payin', pace: 'instant', deliveries } as const
  const rehearsal = await perform('startRehearsal', { body })
  await runEvent(opened, ({ id, status }) => id === rehearsal.id && status === 'ended')
  const detail: RunDetail = await perform('getRun', { path: { id: rehearsal.id } })

  expect(detail).toMatchObject({
    about: 'npp-payin with outcome successful --order 1,1',
    conclusion: 'failed',
    rehearsal: {
      verdict: 'failed',
      actual: expect.stringContaining('2 effects'),
      command: `${CALL} rehearse npp-payin --config hookbench.config.json --attach --pace instant --order 1,1`,
    },
  })
  expect(await perform('listRegistrations')).toEqual(before)

  const checks = await perform('startChecks', { body: { checks: ['http/small-answers'] } })
  await runEvent(
    opened,
    ({ id, progress }) => id === checks.id && Object(progress).check?.verdict === 'passed',
  )
  await runEvent(opened, ({ id, status }) => id === checks.id && status === 'ended')

  const { report } = await perform('getRun', { path: { id: checks.id } })
  expect(report).toMatchObject({ summary: { passed: 1 }, checks: [{ id: 'http/small-answers' }] })
  const [{ repeat }] = Object(report).checks
  const { code, stdout } = await shop.run(
    ...String(repeat).split(' ').slice(CALL.split(' ').length),
    '--json',
  )
  expect(code).toBe(0)
  expect(JSON.parse(stdout).checks[0].repeat).toMatch(/ --attach --seed \d+ http\/small-answers$/)
  expect(await perform('listRegistrations')).toEqual(before)
  expect((await perform('listChecks')).checks.map(({ id }) => id)).toContain('http/small-answers')
  expect(await up.end('SIGTERM')).toBe(0)
})

test('a rehearsal preview sends nothing and shows the deliveries and the repeat command', async () => {
  const { perform, up } = await open()
  const before = await perform('listPayments', { query: {} })

  const deliveries = [{ number: 1, lose: true }, { number: 1 }]
  const preview = await perform('previewRehearsal', {
    body: { kind: 'npp-payin', amount: 1_200, deliveries },
  })

  expect(preview).toMatchObject({
    outcome: 'successful',
    deliveries,
    obstacle: null,
    command: expect.stringMatching(/ --amount 1200 --order 1,1 --lose @1$/),
    test: expect.stringContaining('{ number: 1, lose: true }'),
  })
  expect(preview.notifications[0]).toMatchObject({ number: 1, notified: true, callback: false })
  expect(await perform('listPayments', { query: {} })).toEqual(before)
  expect(await perform('listRuns')).toEqual({ runs: [] })
  writeFileSync(join(shop.folder, 'hookbench.config.json'), '{}')
  const blind = await perform('previewRehearsal', { body: { kind: 'npp-payin' } })
  expect(blind.obstacle).toContain('Set effects.http')
  await expect(perform('previewRehearsal', { body: { kind: 'card-payn' } })).rejects.toThrow(
    'Did you mean "card-payin"?',
  )
  expect(await up.end('SIGTERM')).toBe(0)
})

test('the commands that a run prints name the world unless it is the default world', async () => {
  const { address, perform, up } = await open()
  await perform('addWorld', { body: { name: 'anna' } })
  const performInAnna = createControlClient({ ...address, world: 'anna' })

  const { findings } = await performInAnna('diagnose')
  for (const { generation, object_type, url } of (await perform('listRegistrations')).registrations)
    await performInAnna('addRegistration', { body: { generation, object_type, url } })
  const { command, test: code } = await performInAnna('previewRehearsal', { body: { kind: 'npp-payin' } })

  expect(findings).toContainEqual(
    expect.objectContaining({
      about: 'registrations',
      remedy: `register with "${CALL} register URL --type items --world anna"`,
    }),
  )
  expect(command).toContain(' --attach --world anna')
  expect(code).toContain('rehearse(')
  expect(await up.end('SIGTERM')).toBe(0)
})

test('a rehearsal rejects a configuration whose receiver differs from the registered receiver', async () => {
  const { perform, up } = await open()
  const [registered] = (await perform('listRegistrations')).registrations
  const name = (url: unknown) =>
    writeFileSync(join(shop.folder, 'hookbench.config.json'), JSON.stringify({ receiver: { url } }))
  const start = () => perform('startRehearsal', { body: { kind: 'npp-payin', pace: 'instant' } })

  name('https://localhost:1/transactions')
  await expect(start()).rejects.toThrow('its "receiver.url" is not registered at the sandbox')

  name(registered?.url)
  await expect(perform('startChecks', { body: { checks: ['htp'] } })).rejects.toThrow('Did you mean "http"?')
  expect(await start()).toMatchObject({ kind: 'rehearsal' })
  expect(await up.end('SIGTERM')).toBe(0)
})

test.each([
  ['SIGTERM', 0],
  ['SIGKILL', null],
] as const)('a restarted sandbox restores the world when %s ended it during a run', async (signal, code) => {
  const opened = await open()
  const { perform, up } = opened
  const before = await perform('listRegistrations')
  const { id } = await perform('startChecks', { body: { checks: ['idempotency'] } })
  await runEvent(opened, (data) => data['id'] === id && Object(data['progress']).done > 0)

  expect(await up.end(signal)).toBe(code)

  const next = await shop.up()
  expect(await shop.json('registrations')).toEqual(before)
  expect(await next.end('SIGTERM')).toBe(0)
})
