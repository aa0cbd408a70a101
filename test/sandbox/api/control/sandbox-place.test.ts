import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

test('a sandbox without a data folder says where its service is, and that it has none', async () => {
  const { status, body } = await testSandbox().control('GET', '/sandbox')

  expect([status, body]).toEqual([200, { service_url: expect.any(String), data_folder: null }])
})
