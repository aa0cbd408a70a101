import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { whyMissing } from './tools.ts'

export const skipReporter: Reporter = {
  onTestRunEnd(modules) {
    const counts = new Map<string, number>()
    for (const reason of modules.flatMap(reasonsIn)) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    for (const [reason, count] of counts)
      console.log(`Skipped ${count} ${count === 1 ? 'test' : 'tests'}: ${reason}`)
  },
}

function reasonsIn(module: TestModule): readonly string[] {
  return [...module.children.allTests('skipped')].flatMap((test) => reasonOf(test) ?? [])
}

/** Returns the reason why a test was skipped. Returns undefined for tests that other scripts run. */
function reasonOf(test: TestCase): string | undefined {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return note ?? test.tags.map(whyMissing).find((why) => why !== undefined)
}
