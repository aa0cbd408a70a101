import { expect, test } from 'vitest'
import { DEFECTS } from '../receivers/defects.ts'
import { expectedOf, failedBy, topicOf, whyLeftOut } from './kill-matrix.ts'

/** A test for each defect that is made for a check of this topic. */
export function testDefectsOf(topic: string): void {
  const defects = DEFECTS.filter(({ check }) => topicOf(check) === topic)

  test.concurrent.for(defects)(
    '$name fails exactly what it declares',
    { timeout: 900_000 },
    async (defect, { skip }) => {
      const reason = whyLeftOut(defect)
      skip(reason !== undefined, reason)
      expect(await failedBy(defect)).toEqual(expectedOf(defect))
    },
  )
}
