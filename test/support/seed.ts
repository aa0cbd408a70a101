import { configureGlobal, readConfigureGlobal } from 'fast-check'
import { testSeed } from './test-seed.ts'

// All property tests of a run draw from its one seed.
configureGlobal({ ...readConfigureGlobal(), seed: testSeed })
