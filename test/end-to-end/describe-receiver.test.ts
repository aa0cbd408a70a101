import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runChecks, type Config } from '../../contracts/index.ts'
import { describeReceiver } from '../../contracts/frameworks/vitest.ts'
import { useWorkshop } from '../support/workshop.ts'

const ONE = 'registration/accepts-test-post'

const shop = useWorkshop()
const receiver = await shop.receiver()
const own = { port: 0, data: join(shop.folder, '.hookbench') }

const config: Config = {
  receiver: { url: receiver.url },
  ...own,
  checks: [ONE, 'http/no-redirect'],
  failOn: 'should',
}

// Defines a test in this file for each check.
describeReceiver(config)

test('describeReceiver() accepts the configuration object', async () => {
  writeFileSync(join(shop.folder, 'hookbench.config.json'), JSON.stringify(config))

  const { code, stdout } = await shop.run('check', '--json')
  const named = await shop.run('check', ONE, '--json')

  const ids = (report: string) => JSON.parse(report).checks.map(({ id }: { readonly id: string }) => id)
  expect([code, ids(stdout).toSorted(), ids(named.stdout)]).toEqual([0, config.checks?.toSorted(), [ONE]])
})

test('runChecks() returns the results and calls onResult for each result', async () => {
  const ids: string[] = []
  const onResult = ({ check }: { readonly check: { readonly id: string } }) => void ids.push(check.id)

  const { results } = await runChecks(
    { receiver: { url: receiver.url }, ...own, checks: [ONE] },
    { onResult },
  )

  expect(results).toMatchObject([{ check: { id: ONE }, verdict: 'passed', finding: { kind: 'passed' } }])
  expect(ids).toEqual([ONE])
})

test('runChecks() names errors in its options', async () => {
  await expect(runChecks({ receiver: { url: receiver.url }, seed: -1 })).rejects.toThrow('"seed" takes')
})
