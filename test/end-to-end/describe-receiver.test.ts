import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runChecks, type Config } from '../../contracts/index.ts'
import { runInNode } from '../../contracts/frameworks/run-in-node.ts'
import { createSharedRun, ReceiverError } from '../../contracts/frameworks/shared-run.ts'
import { describeReceiver } from '../../contracts/frameworks/vitest.ts'
import { openWorkshop } from '../support/program.ts'

const frameworkFile = (name: string) => new URL(`../../contracts/frameworks/${name}`, import.meta.url)
const ONE = 'registration/accepts-test-post'

const shop = openWorkshop()
const receiver = await shop.receiver()
const own = { port: 0, data: join(shop.folder, '.hookbench') }

afterAll(() => shop.close())

const config: Config = {
  receiver: { url: receiver.url },
  ...own,
  checks: [ONE, 'http/no-redirect'],
  failOn: 'should',
}

// With vitest, each of these is a test of this file.
describeReceiver(config)

test('describeReceiver() takes the configuration object', async () => {
  writeFileSync(join(shop.folder, 'hookbench.config.json'), JSON.stringify(config))

  const { code, stdout } = await shop.run('check', '--json')
  const named = await shop.run('check', ONE, '--json')

  const ids = (report: string) => JSON.parse(report).checks.map(({ id }: { readonly id: string }) => id)
  expect([code, ids(stdout).toSorted(), ids(named.stdout)]).toEqual([0, config.checks?.toSorted(), [ONE]])
})

test('runChecks() returns the results and calls back for each', async () => {
  const ids: string[] = []
  const onResult = ({ check }: { readonly check: { readonly id: string } }) => void ids.push(check.id)

  const { results } = await runChecks(
    { receiver: { url: receiver.url }, ...own, checks: [ONE] },
    { onResult },
  )

  expect(results).toMatchObject([{ check: { id: ONE }, verdict: 'passed', finding: { kind: 'passed' } }])
  expect(ids).toEqual([ONE])
})

test('runChecks() names errors of its description', async () => {
  await expect(runChecks({ receiver: { url: receiver.url }, seed: -1 })).rejects.toThrow('"seed" takes')
})

function openInNode(description: Config, program = frameworkFile('serve-run.ts')) {
  const shared = createSharedRun(description, (id) => id)
  const [check] = shared.plan.first
  if (!check) throw new Error('The run has no check')
  return { ...runInNode(shared, { config: description, repeat: 'bun test -t {id}', program }), check }
}

test('a run in a separate Node process passes its passing checks', async () => {
  const { open, test: judge, check, conclude, close } = openInNode({ ...config, checks: [ONE] })

  await open()
  const reason = await judge(check)
  await conclude()
  await close()

  expect(reason).toBeUndefined()
})

test('a run in a separate Node process fails with the report of the failures', async () => {
  const nobody = { receiver: { url: 'https://localhost:1/hooks' }, ...own, checks: [ONE] }
  const { open, test: judge, check, close } = openInNode(nobody)

  await open()
  const judged = await judge(check).catch((error: unknown) => error)
  await close()

  expect(judged).toBeInstanceOf(ReceiverError)
  expect(judged).toMatchObject({ message: expect.stringMatching(/Repeat +bun test -t registration/) })
})

test('a Node process that ends fails its waiting tests', async () => {
  const { open, close } = openInNode({ ...config, checks: [ONE] }, frameworkFile('is-not-there.ts'))

  await expect(open()).rejects.toThrow('Cannot run the checks: the process of Node ended with code 1')
  await close()
})

test('a function cannot be passed to a Node process', () => {
  const effects = { function: async () => ({ effects: 0, state: null }) }

  expect(() => openInNode({ ...config, effects })).toThrow('Cannot use "effects.function" here')
})
