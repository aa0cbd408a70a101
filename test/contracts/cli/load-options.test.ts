import { expect, test } from 'vitest'
import { parseLoad, type LoadFlags } from '../../../contracts/cli/load.ts'

test('omitted load options get default values', () => {
  expect(parseLoad({})).toEqual({
    schedule: { shape: 'steady', rate: 100, durationMs: 10_000 },
    shares: [],
    connections: 512,
    compare: undefined,
    maxP99Ms: undefined,
  })
})

test('types and payments get their weights from the options, and the default weight is 1', () => {
  const flags: LoadFlags = {
    rate: '2000',
    for: '1m',
    shape: 'sine',
    mix: ['items=3,users', 'transactions=10'],
    payments: ['card-payin=2', 'direct-debit-payin:failed_direct_debit'],
    connections: '64',
    compare: 'all',
    maxP99: '250',
  }

  expect(parseLoad(flags)).toEqual({
    schedule: { shape: 'sine', rate: 2_000, durationMs: 60_000 },
    shares: [
      { weight: 3, of: { type: 'items' } },
      { weight: 1, of: { type: 'users' } },
      { weight: 10, of: { type: 'transactions' } },
      { weight: 2, of: { kind: 'card-payin' } },
      { weight: 1, of: { kind: 'direct-debit-payin', outcome: 'failed_direct_debit' } },
    ],
    connections: 64,
    compare: Number.MAX_SAFE_INTEGER,
    maxP99Ms: 250,
  })
})

test.each<readonly [LoadFlags, string]>([
  [{ rate: '0' }, 'Cannot use --rate "0": the value must be a whole number from 1 to 100000'],
  [
    { for: '10' },
    'Cannot use --for "10": the value must be a duration from 100ms to 24h, such as 60s or 10m',
  ],
  [{ connections: '0' }, 'Cannot use --connections "0"'],
  [{ compare: 'some' }, 'Cannot use --compare "some": the value must be a number of objects, or "all"'],
  [
    { mix: ['items=0'] },
    'Cannot use --mix "items=0": the value must be a list of names with weights from 1 to 10000',
  ],
  [{ mix: ['item=1'] }, 'Cannot use --mix "item": unknown type. Did you mean "items"?'],
  [{ payments: ['card-pay=1'] }, 'Did you mean "card-payin"?'],
  [{ payments: ['card-payin=x'] }, 'such as card-payin=2,npp-payin=1'],
  [{ maxP99: '0' }, 'Cannot use --max-p99 "0"'],
])('the option parser rejects the load options %j and explains the fix', (flags, message) => {
  expect(() => parseLoad(flags)).toThrow(message)
})
