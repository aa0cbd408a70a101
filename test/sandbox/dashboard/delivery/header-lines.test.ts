import { expect, test } from 'vitest'
import { parseHeaderLines } from '../../../../sandbox/dashboard/delivery/header-lines.ts'

test('a line is a header, and empty lines are ignored', () => {
  expect(parseHeaderLines('\nX-One:  a: b \n\nx-two:\n')).toEqual({
    kind: 'headers',
    headers: [
      ['X-One', 'a: b'],
      ['x-two', ''],
    ],
  })
  expect(parseHeaderLines('')).toEqual({ kind: 'headers', headers: [] })
})

test('an invalid or repeated header is named', () => {
  expect(parseHeaderLines('x-one: a\nnothing')).toMatchObject({
    message: 'Cannot read "nothing": write name: value',
  })
  expect(parseHeaderLines('X-One: a\nx-one: b')).toMatchObject({
    kind: 'wrong',
    message: expect.stringMatching(/^Cannot send "x-one" twice/),
  })
})
