import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  UNLISTED_DEFECTS,
  writeDefectiveStarter,
  type UnlistedDefect,
} from '../../receivers/unlisted-defects.ts'
import { HAS_SHIPPED_WINDOWS, IS_COMPLETE } from '../../support/kill-matrix.ts'
import { runFamilyMember, starterAt } from '../../support/receiver-family.ts'

const EXPLORE_MS = 60_000
/** The maximum number of explorations. On a busy machine, one exploration tries only a few worlds. */
const MAX_EXPLORATIONS = 3
const MIN_FOUND = 16

/** The defects that every run tests. The weekly kill matrix and the release workflow test all defects. */
const SOON = UNLISTED_DEFECTS.filter(({ name }) =>
  ['rounds-down-through-dollars', 'lower-cases-owners', 'knows-one-spelling-of-a-header'].includes(name),
)

async function isFound(defect: UnlistedDefect): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-unlisted-'))
  try {
    writeDefectiveStarter(defect, folder)
    const member = starterAt(join(folder, 'main.mjs'), { exploreMs: EXPLORE_MS })
    const { results } = await runFamilyMember(member, { checks: ['oracle/any-world'] })
    return results.some(({ verdict }) => verdict === 'failed')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test.for(IS_COMPLETE ? SOON : SOON.slice(0, 1))(
  'the check oracle/any-world finds the defect $name',
  { timeout: 900_000 },
  async (defect) => {
    let explorations = 0
    let found = false
    while (!found && explorations++ < MAX_EXPLORATIONS) found = await isFound(defect)

    expect(found).toBe(true)
  },
)

test.runIf(HAS_SHIPPED_WINDOWS)(
  'the check oracle/any-world finds 16 of 20 defects that have no separate check',
  { timeout: 3_600_000 },
  async () => {
    const missed: string[] = []
    for (const defect of UNLISTED_DEFECTS) if (!(await isFound(defect))) missed.push(defect.name)

    console.log(`Not found: ${missed.join(', ')}`)
    expect(UNLISTED_DEFECTS.length - missed.length).toBeGreaterThanOrEqual(MIN_FOUND)
  },
)
