import { expect, test } from 'vitest'
import { diffJson } from '../../../../sandbox/engine/core/json-diff.ts'

const diff = (before: unknown, after: unknown) => diffJson(JSON.stringify(before), JSON.stringify(after))

test('each field that differs is named, however deep, with both its values', () => {
  const before = { items: { state: 'pending', fees: [{ amount: 1 }, { amount: 2 }], 'a b': 1, same: null } }
  const after = {
    items: { state: 'completed', fees: [{ amount: 1 }], 'a b': 2, same: null, buyer: { id: 7 } },
  }

  expect(diff(before, after)).toEqual([
    { path: 'items.state', before: '"pending"', after: '"completed"' },
    { path: 'items.fees[1]', before: '{"amount":2}', after: undefined },
    { path: 'items."a b"', before: '1', after: '2' },
    { path: 'items.buyer', before: undefined, after: '{"id":7}' },
  ])
})

test('a value of another kind differs as a whole, and the same values in another order do not', () => {
  expect(diff({ a: [1] }, { a: { 0: 1 } })).toEqual([{ path: 'a', before: '[1]', after: '{"0":1}' }])
  expect(diff([1], 'x')).toEqual([{ path: '', before: '[1]', after: '"x"' }])
  expect(diff({ a: 1, b: null }, { b: null, a: 1 })).toEqual([])
})

test('names that a prototype has are fields like others, and what would turn a line around is escaped', () => {
  expect(diffJson('{"__proto__":1,"x":"\u202E"}', '{"constructor":2}')).toEqual([
    { path: '__proto__', before: '1', after: undefined },
    { path: 'x', before: String.raw`"\u202e"`, after: undefined },
    { path: 'constructor', before: undefined, after: '2' },
  ])
})

test('what is not JSON has no fields to compare', () => {
  expect([diffJson('{', '{}'), diffJson('{}', '')]).toEqual([undefined, undefined])
})
