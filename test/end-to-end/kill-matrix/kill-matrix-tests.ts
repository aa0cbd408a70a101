import { expect, test } from 'vitest'
import { DEFECTS } from '../../receivers/defects.ts'
import {
  expectedOf,
  explorationsFor,
  failedBy,
  IS_COMPLETE,
  topicOf,
  whyLeftOut,
} from '../../support/kill-matrix.ts'

export function testDefectsOf(topic: string): void {
  const defects = DEFECTS.filter(({ check }) => topicOf(check) === topic)

  test.concurrent.for(defects)(
    'the receiver with the defect $name fails exactly the declared checks',
    { timeout: IS_COMPLETE ? 900_000 : 240_000 },
    async (defect, { skip }) => {
      const reason = whyLeftOut(defect)
      skip(reason !== undefined, reason)
      const expected = expectedOf(defect)
      let failed: readonly string[] = []
      for (const exploreMs of explorationsFor(defect)) {
        failed = await failedBy(defect, exploreMs)
        if (failed.join() === expected.join()) break
      }
      expect(failed).toEqual(expected)
    },
  )
}
