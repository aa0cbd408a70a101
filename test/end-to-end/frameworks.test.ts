import { expect, test } from 'vitest'
import { catalogue } from '../../contracts/catalogue.ts'
import { expressReceiver } from '../contracts/frameworks/express.ts'
import { fastifyReceiver } from '../contracts/frameworks/fastify.ts'
import { honoReceiver } from '../contracts/frameworks/hono.ts'
import { nextReceiver } from '../contracts/frameworks/next.ts'
import { startPlatform } from '../contracts/frameworks/platform.ts'
import { judged } from '../support/judged-receiver.ts'
import { topicOf } from '../support/kill-matrix.ts'
import { IS_WHOLE } from '../support/receiver-family.ts'

/** What a framework has a part in: how a body is read, and what is answered. All of them: npm run test:receivers. */
const OF_FRAMEWORKS: ReadonlySet<string> = new Set(['registration', 'transport', 'http', 'body'])
const checks = catalogue.filter(({ id }) => IS_WHOLE || OF_FRAMEWORKS.has(topicOf(id)))

test.concurrent.each([
  ['Express', expressReceiver],
  ['Fastify', fastifyReceiver],
  ['Hono', honoReceiver],
  ['Next', nextReceiver],
])(
  'a careful receiver in %s passes what a framework has a part in',
  { timeout: 600_000 },
  async (_, listenerOf) => {
    const { results } = await judged({
      checks,
      start: (options) => startPlatform(options, listenerOf),
    })

    // Its process is the test's own.
    const failures = results.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'not-observable')
    expect(failures.map(({ check: { id }, finding }) => [id, finding])).toEqual([])
  },
)
