import { expect, test } from 'vitest'
import { parseFields } from '../../../sandbox/cli/fields.ts'
import { UsageError } from '../../../sandbox/cli/failure.ts'

test.each([
  ['items', 'amount=1200', { amount: 1200 }],
  ['items', 'amount=-12.5', { amount: -12.5 }],
  ['items', 'amount=0012', { amount: '0012' }],
  ['items', 'state=completed', { state: 'completed' }],
  ['items', 'name=500', { name: '500' }],
  ['items', 'name=true', { name: 'true' }],
  ['items', 'name=a=b:=c', { name: 'a=b:=c' }],
  ['items', 'name=', { name: '' }],
  ['items', 'name={"a":1}', { name: '{"a":1}' }],
  ['items', 'name:="null"', { name: 'null' }],
  ['items', 'related:={"buyers":"x"}', { related: { buyers: 'x' } }],
  ['items', 'nope=5', { nope: 5 }],
  ['items', 'custom_descriptor=null', { custom_descriptor: null }],
  ['items', 'custom_descriptor=5', { custom_descriptor: '5' }],
  ['batch_transactions', 'amount=5', { amount: 5 }],
  ['virtual_accounts', 'status=active', { status: 'active' }],
  ['nope', 'a=true', { a: true }],
])('parseFields(%s) reads %s', (type, pair, fields) => {
  expect(parseFields(type, [pair])).toEqual(fields)
})

test.each([[['nope']], [['=5']], [[':=5']], [['a:=nope']], [['a=1', 'a=2']]])(
  'parseFields() refuses %j',
  (pairs) => {
    expect(() => parseFields('items', pairs)).toThrow(UsageError)
  },
)
