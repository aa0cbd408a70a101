import { beforeEach } from 'vitest'
import { configureGlobal, readConfigureGlobal } from 'fast-check'
import { whyMissing } from './tools.ts'
import { testSeed } from './test-seed.ts'

// All property tests of a run draw from its one seed.
configureGlobal({ ...readConfigureGlobal(), seed: testSeed })

// Without CI, the configuration skips tests whose tool is missing. In CI, nothing may be left out.
if (process.env['CI'])
  beforeEach(({ task: { tags = [] } }) => {
    const missing = tags.flatMap((tag) => whyMissing(tag) ?? [])
    if (missing.length > 0) throw new Error(`Cannot run this test: ${missing.join('; ')}`)
  })
