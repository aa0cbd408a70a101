import { expect, test } from 'vitest'
import { receiverRemedy } from '../../../../sandbox/engine/delivery/receiver-remedy.ts'

test('a receiver is told what to change for what it answered', () => {
  const statuses = [302, 401, 403, 404, 405, 500, 418]

  expect(statuses.map((status) => [status, receiverRemedy(status, false)?.split(/[:,]/)[0]])).toEqual([
    [302, 'the service follows no redirect'],
    [401, 'let it take this POST without credentials'],
    [403, 'let it take this POST without credentials'],
    [404, 'let it take POST at the path of this URL'],
    [405, 'let it take POST at the path of this URL'],
    [500, 'let it answer every POST to this path with 2xx'],
    [418, 'let it answer every POST to this path with 2xx'],
  ])
})

test('nothing is to be changed after success, or where there was no answer', () => {
  expect([200, 299, null].map((status) => receiverRemedy(status, true))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test.each([400, 401, 403])(
  'a receiver that may verify signatures and answers %i is told whether there was one',
  (status) => {
    expect(receiverRemedy(status, true)).toContain('it was signed: if it was refused for that')
    expect(receiverRemedy(status, false)).toContain(
      'it was not signed: if your receiver verifies signatures, set the secret',
    )
  },
)
