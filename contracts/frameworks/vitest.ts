import { afterAll, beforeAll, describe, test } from 'vitest'
import { createSharedRun, TEST_LIMIT_MS, type ReceiverDescription } from './shared-run.ts'

export type { Config } from '../config/config.ts'
export { ReceiverError, type ReceiverDescription } from './shared-run.ts'

/** One test for each check, on one run that they share. Throws for a wrong description. */
export function describeReceiver(description: ReceiverDescription): void {
  const run = createSharedRun(description, (id) => `npx vitest -t '${id}:'`)
  const { checks, title, open, close } = run
  describe(title, () => {
    beforeAll(open, TEST_LIMIT_MS)
    afterAll(close, TEST_LIMIT_MS)
    for (const check of checks) {
      const define = check.alone === true ? test : test.concurrent
      define(`${check.id}: ${check.requirement}`, { timeout: TEST_LIMIT_MS }, async ({ skip }) => {
        const why = await run.test(check)
        if (why !== undefined) skip(why)
      })
    }
  })
}
