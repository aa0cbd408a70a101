import { afterEach, beforeEach, expect } from 'vitest'
import { takeSandboxErrors } from './sandbox-errors.ts'
import { configureGlobal, readConfigureGlobal } from 'fast-check'
import { whyMissing } from './tools.ts'
import { testSeed } from './test-seed.ts'

configureGlobal({ ...readConfigureGlobal(), seed: testSeed })

// In CI, a missing tool fails the test instead of skipping it.
if (process.env['CI'])
  beforeEach(({ task: { tags = [] } }) => {
    const missing = tags.flatMap((tag) => whyMissing(tag) ?? [])
    if (missing.length > 0) throw new Error(`Cannot run this test: ${missing.join('; ')}`)
  })

// Expects that no sandbox has reported a bug during the test.
afterEach(() => expect(takeSandboxErrors()).toEqual([]))
