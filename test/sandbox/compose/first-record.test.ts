import { expect, test } from 'vitest'
import { refuseKeysOfOthers } from '../../../sandbox/compose/serve-sandbox.ts'
import { worldRecord } from '../../support/world-records.ts'

test.each([
  ['--client-id', ({ credentials }: ReturnType<typeof worldRecord>) => ({ credentials })],
  ['--token', ({ controlToken }: ReturnType<typeof worldRecord>) => ({ controlToken })],
  [
    '--api-token',
    ({ credentials }: ReturnType<typeof worldRecord>) => ({
      credentials: { ...credentials, client_id: 'another' },
    }),
  ],
])('a sandbox does not start with the %s of another world', (option, taken) => {
  const anna = worldRecord('anna')
  const start = () => refuseKeysOfOthers(worldRecord('default', taken(anna)), [worldRecord('ben'), anna])
  expect(start).toThrow(
    expect.objectContaining({
      kind: 'unusable',
      message: expect.stringMatching(new RegExp(`world "anna".*${option} or HOOKBENCH`)),
    }),
  )
})

test('a sandbox starts beside worlds with other credentials', () => {
  expect(() =>
    refuseKeysOfOthers(worldRecord('default'), [worldRecord('anna'), worldRecord('ben')]),
  ).not.toThrow()
})
