import { afterAll, beforeAll, describe, test, type TestAPI } from 'vitest'
import type { Config } from '../config/config.ts'
import { CONCLUSION, createSharedRun, TEST_LIMIT_MS, type SharedRun } from './shared-run.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'

export type { Config } from '../config/config.ts'
export { ReceiverError } from './shared-run.ts'

/** Defines one test per check. All tests share one run. Throws UsageError for an invalid configuration. */
export function describeReceiver(config: Config): void {
  const run = createSharedRun(config, (id) => `npx vitest -t '${id}:'`)
  const { plan, title, open, close } = run
  describe(title, () => {
    beforeAll(open, TEST_LIMIT_MS)
    afterAll(close, TEST_LIMIT_MS)
    for (const check of plan.first) defineTest(check, { run, define: test.concurrent })
    for (const check of [...plan.alone, ...plan.last]) defineTest(check, { run, define: test })
    test(CONCLUSION, () => run.conclude())
  })
}

interface TestPlace {
  readonly run: SharedRun
  readonly define: TestAPI | TestAPI['concurrent']
}

function defineTest(check: ReceiverCheck, { run, define }: TestPlace): void {
  define(`${check.id}: ${check.requirement}`, { timeout: TEST_LIMIT_MS }, async ({ skip }) => {
    const why = await run.test(check)
    if (why !== undefined) skip(why)
  })
}
