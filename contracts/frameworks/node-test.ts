import { after, before, describe, it } from 'node:test'
import { described, TEST_LIMIT_MS, type Described, type ReceiverDescription } from './described.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'

export type { CheckConfig } from '../config/config.ts'
export type { ReceiverDescription } from './described.ts'
export { ReceiverError } from './judged.ts'

const SIDE_BY_SIDE = 8

/** One test for each check, on one run that they share. Throws for a wrong description. */
export function describeReceiver(description: ReceiverDescription): void {
  const receiver = described(description, (id) => `node --test --test-name-pattern='${id}:'`)
  const { checks, title, open, close } = receiver
  void describe(title, () => {
    before(open, { timeout: TEST_LIMIT_MS })
    after(close, { timeout: TEST_LIMIT_MS })
    void describe('side by side', { concurrency: SIDE_BY_SIDE }, () => {
      for (const check of checks) if (check.alone !== true) define(check, receiver)
    })
    void describe('one after the other', { concurrency: 1 }, () => {
      for (const check of checks) if (check.alone === true) define(check, receiver)
    })
  })
}

function define(check: ReceiverCheck, { put }: Described): void {
  void it(`${check.id}: ${check.requirement}`, { timeout: TEST_LIMIT_MS }, async (test) => {
    const why = await put(check)
    if (why !== undefined) test.skip(why)
  })
}
