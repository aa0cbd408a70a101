import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { duringTest } from '../support/lifetimes.ts'
import { rehearse, type RehearsalResult } from '../../contracts/index.ts'
import { CALL } from '../support/installed-package.ts'
import { useWorkshop } from '../support/workshop.ts'
import { registerReceiver } from '../support/receiver-program.ts'

const shop = useWorkshop()
let service = ''

beforeAll(async () => {
  service = String((await shop.up()).ready['service_url'])
})

const register = (defect?: string) => duringTest(registerReceiver(shop, { service, defect }))

test('the command "rehearse" detects a receiver that acts twice, finds the shortest order, and restores the world', async () => {
  const { effects } = await register('acts-on-each-delivery')
  await shop.run('create', 'items')
  const world = async () => [await shop.json('registrations'), await shop.json('payments')]
  const before = await world()

  const args = ['--order', '1,1,1', '--pace', 'instant', '--effects', effects, '--shrink', '--json']
  const { code, stdout } = await shop.run('rehearse', 'npp-payin', ...args)

  const result: RehearsalResult = JSON.parse(stdout)
  expect(code).toBe(1)
  expect(result).toMatchObject({
    verdict: 'failed',
    conclusion: 'failed',
    deliveries: [{ number: 1 }, { number: 1 }, { number: 1 }],
    shortest: { verdict: 'failed', deliveries: [{ number: 1 }, { number: 1 }] },
  })
  expect(result.shortest?.command).toMatch(
    new RegExp(`^${CALL} rehearse npp-payin --effects '.*' --pace instant --order 1,1$`),
  )
  expect(await world()).toEqual(before)
})

test('the command "rehearse --vitest" prints only the test when a careful receiver passes', async () => {
  const { effects } = await register()

  const args = ['--order', '1,1', '--pace', 'instant', '--effects', effects, '--vitest']
  const { code, stdout, stderr } = await shop.run('rehearse', 'npp-payin', ...args)

  expect([code, stderr]).toEqual([0, expect.stringContaining('✓ Your receiver passed')])
  expect(stdout).toMatch(
    /^import .*\n[^]*rehearse\(\{"effects":\{"http":"http:[^]*"service":\{"attach":true\}\}, \{/,
  )
})

test('rehearse() returns the verdict and the trace in a test', async () => {
  const { effects } = await register()
  const config = { data: join(shop.folder, '.hookbench'), effects: { http: effects } }

  const result = await rehearse(config, {
    kind: 'npp-payin',
    pace: 'instant',
    deliveries: [{ number: 1, break_answer: true }],
  })

  expect(result).toMatchObject({ verdict: 'passed', actual: null, unobserved: null })
  expect(result.trace).toContainEqual(
    expect.objectContaining({ kind: 'sent', text: '@1 transactions successful, sent again', status: 204 }),
  )
})
