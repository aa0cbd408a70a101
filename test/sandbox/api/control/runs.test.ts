import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

test.each([
  ['GET', '/checks', undefined],
  ['POST', '/check-runs', {}],
  ['POST', '/rehearsals', { kind: 'npp-payin' }],
  ['POST', '/rehearsal-previews', { kind: 'npp-payin' }],
])('a sandbox without checks says so at %s %s', async (method, path, body) => {
  const { status, body: refusal } = await testSandbox().control(method, path, body)

  expect([status, refusal.error.code]).toEqual([409, 'no_judge'])
  expect(refusal.error.hint).toContain('npx hookbench up')
})

test('a run that there is not is not found', async () => {
  const sandbox = testSandbox()

  expect((await sandbox.control('GET', '/runs')).body).toEqual({ runs: [] })
  expect((await sandbox.control('GET', '/runs/x')).status).toBe(404)
  expect((await sandbox.control('DELETE', '/runs/x')).status).toBe(404)
})

test.each([
  [{ kind: 'npp-payin', deliveries: [{ number: 0 }] }],
  [{ kind: 'npp-payin', deliveries: [{ number: 1, lost: true }] }],
  [{ kind: 'npp-payin', pace: 'slow' }],
  [{}],
])('%j is no rehearsal', async (body) => {
  expect((await testSandbox().control('POST', '/rehearsals', body)).status).toBe(422)
})
