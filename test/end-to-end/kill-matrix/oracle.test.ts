import { testDefectsOf } from './kill-matrix-tests.ts'

testDefectsOf('oracle')
