import { expect, test } from 'vitest'
import { openPage } from '../../../sandbox/cli/dashboard-address.ts'

const URL = 'http://127.0.0.1:4011/#token=t'

test.each([
  ['linux', ['xdg-open', URL]],
  ['darwin', ['open', URL]],
  ['win32', ['cmd', '/c', 'start', '""', URL]],
] as const)('openPage() on %s runs %j', async (platform, expected) => {
  const started: string[][] = []

  const problem = await openPage(URL, platform, async (program, args) => {
    started.push([program, ...args])
    return 0
  })

  expect([problem, started]).toEqual([undefined, [expected]])
})

test.each([
  [null, 'xdg-open cannot be started'],
  [3, 'xdg-open ended with exit code 3'],
])('openPage() reports a program that ends with %s', async (code, problem) => {
  expect(await openPage(URL, 'linux', async () => code)).toBe(problem)
})
