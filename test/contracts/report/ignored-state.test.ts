import { expect, test } from 'vitest'
import { failed } from '../../../contracts/finding.ts'
import { groupByCause } from '../../../contracts/report/failure-groups.ts'
import type { CheckResult } from '../../../contracts/run/run-result.ts'
import { buildCheck, buildExchange, buildResult, buildRun } from '../support/run-results.ts'

const target = { type: 'transactions', id: 't' } as const

function believing(id: string, believed: string, ...notified: readonly string[]): CheckResult {
  const { request } = buildExchange('x')
  const sent = notified.map((state) => {
    const body = JSON.stringify({ transactions: { id: 't', state } })
    const exchange = buildExchange(state, { about: target, request: { ...request, body } })
    return { kind: 'sent', atMs: 1, exchange } as const
  })
  const look = { kind: 'effects', atMs: 9, target, seen: { effects: 0, state: believed } } as const
  const finding = failed('one effect', 'none', { objects: [target] })
  return buildResult(
    { ...finding, symptom: 'other-state' },
    { check: buildCheck(id), events: [...sent, look] },
  )
}

test('checks form one failure group when the receiver ignored a later state of the same object type', () => {
  const results = [
    believing('a/one', 'pending', 'pending', 'successful'),
    believing('a/two', 'batched', 'batched', 'bank_processing'),
  ]

  expect(groupByCause(buildRun(...results)).failures).toMatchObject([
    { cause: { kind: 'ignored-state', type: 'transactions' }, lead: results[0], others: [results[1]] },
  ])
})

test('a failed check is not reported in the group of ignored states when the receiver moved back to an earlier state', () => {
  const run = buildRun(
    believing('a/one', 'pending', 'successful', 'pending'),
    believing('a/two', 'pending', 'pending', 'successful'),
  )

  expect(groupByCause(run).failures).toHaveLength(2)
})
