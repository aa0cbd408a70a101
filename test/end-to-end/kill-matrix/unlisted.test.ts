import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UNLISTED_DEFECTS, writeDefectiveStarter } from '../../receivers/unlisted-defects.ts'
import { HAS_SHIPPED_WINDOWS } from '../../support/kill-matrix.ts'
import { runFamilyMember, starterAt } from '../../support/receiver-family.ts'

/** The most that a user explores. */
const EXPLORE_MS = 60_000

/** One of each area. The matrix of each week, and before each release, has all. */
const FIRST = UNLISTED_DEFECTS.filter(
  ({ area }, index) => UNLISTED_DEFECTS.findIndex((one) => one.area === area) === index,
)

test.for(HAS_SHIPPED_WINDOWS ? UNLISTED_DEFECTS : FIRST)(
  'oracle/any-world finds $name',
  { timeout: 180_000 },
  async (defect) => {
    const folder = mkdtempSync(join(tmpdir(), 'hookbench-unlisted-'))
    try {
      writeDefectiveStarter(defect, folder)
      const member = starterAt(join(folder, 'main.mjs'), { exploreMs: EXPLORE_MS })
      const { results } = await runFamilyMember(member, { checks: ['oracle/any-world'] })

      expect(results.map(({ verdict }) => verdict)).toEqual(['failed'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
