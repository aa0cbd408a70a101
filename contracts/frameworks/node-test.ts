import { after, before, describe, it } from 'node:test'
import type { Config } from '../config/config.ts'
import { CONCLUSION, createSharedRun, TEST_LIMIT_MS, type SharedRun } from './shared-run.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'

export type { Config } from '../config/config.ts'
export { ReceiverError } from './shared-run.ts'

const SIDE_BY_SIDE = 8

/** Defines one test per check. All tests share one run. Throws UsageError for an invalid configuration. */
export function describeReceiver(config: Config): void {
  const run = createSharedRun(config, (id) => `node --test --test-name-pattern='${id}:'`)
  const { plan, title, open, close } = run
  void describe(title, () => {
    before(open, { timeout: TEST_LIMIT_MS })
    after(close, { timeout: TEST_LIMIT_MS })
    void describe('side by side', { concurrency: SIDE_BY_SIDE }, () => {
      for (const check of plan.first) defineTest(check, run)
    })
    void describe('one after the other', { concurrency: 1 }, () => {
      for (const check of [...plan.alone, ...plan.last]) defineTest(check, run)
      void it(CONCLUSION, () => run.conclude())
    })
  })
}

function defineTest(check: ReceiverCheck, run: SharedRun): void {
  void it(`${check.id}: ${check.requirement}`, { timeout: TEST_LIMIT_MS }, async (test) => {
    const why = await run.test(check)
    if (why !== undefined) test.skip(why)
  })
}
