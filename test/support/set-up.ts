import { beforeEach } from 'vitest'
import { configureGlobal, readConfigureGlobal } from 'fast-check'
import { whyMissing } from './tools.ts'
import { testSeed } from './test-seed.ts'

configureGlobal({ ...readConfigureGlobal(), seed: testSeed })

// In CI, no test may be skipped for a missing tool.
if (process.env['CI'])
  beforeEach(({ task: { tags = [] } }) => {
    const missing = tags.flatMap((tag) => whyMissing(tag) ?? [])
    if (missing.length > 0) throw new Error(`Cannot run this test: ${missing.join('; ')}`)
  })
