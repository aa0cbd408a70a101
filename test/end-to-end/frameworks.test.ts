import { expect, test } from 'vitest'
import { catalogue } from '../../contracts/catalogue.ts'
import { expressReceiver } from '../contracts/frameworks/express.ts'
import { fastifyReceiver } from '../contracts/frameworks/fastify.ts'
import { honoReceiver } from '../contracts/frameworks/hono.ts'
import { nextReceiver } from '../contracts/frameworks/next.ts'
import { startPlatform } from '../contracts/frameworks/platform.ts'
import { judged } from '../support/judged-receiver.ts'

test.concurrent.each([
  ['Express', expressReceiver],
  ['Fastify', fastifyReceiver],
  ['Hono', honoReceiver],
  ['Next', nextReceiver],
])('a careful receiver in %s passes every check', { timeout: 600_000 }, async (_, listenerOf) => {
  const { results } = await judged({
    checks: catalogue,
    start: (options) => startPlatform(options, listenerOf),
  })

  // Its process is the test's own.
  const failures = results.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'not-observable')
  expect(failures.map(({ check: { id }, finding }) => [id, finding])).toEqual([])
})
