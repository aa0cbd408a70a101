import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

test('a sandbox without a data folder refuses to find out why nothing is received', async () => {
  const { status, body } = await testSandbox().control('POST', '/diagnosis')

  expect([status, body.error.code]).toEqual([409, 'no_doctor'])
})
