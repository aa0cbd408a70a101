import { afterAll, beforeAll, describe, test } from 'vitest'
import { described, TEST_LIMIT_MS, type ReceiverDescription } from './described.ts'

export type { CheckConfig } from '../config/config.ts'
export type { ReceiverDescription } from './described.ts'
export { ReceiverError } from './judged.ts'

/** One test for each check, on one run that they share. Throws for a wrong description. */
export function describeReceiver(description: ReceiverDescription): void {
  const { checks, title, open, close, put } = described(description, (id) => `npx vitest -t '${id}:'`)
  describe(title, () => {
    beforeAll(open, TEST_LIMIT_MS)
    afterAll(close, TEST_LIMIT_MS)
    for (const check of checks) {
      const define = check.alone === true ? test : test.concurrent
      define(`${check.id}: ${check.requirement}`, { timeout: TEST_LIMIT_MS }, async ({ skip }) => {
        const why = await put(check)
        if (why !== undefined) skip(why)
      })
    }
  })
}
