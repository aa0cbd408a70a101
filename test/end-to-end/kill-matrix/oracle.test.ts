import { testDefectsOf } from '../../support/kill-matrix-tests.ts'

testDefectsOf('oracle')
