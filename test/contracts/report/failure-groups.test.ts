import { expect, test } from 'vitest'
import {
  controlFailed,
  failed,
  PASSED,
  probeFailed,
  unreachable,
  withSymptom,
  type Exchange,
  type Finding,
  type ObjectRef,
} from '../../../contracts/finding.ts'
import {
  describeUnjudged,
  groupByCause,
  type FailureGroup,
} from '../../../contracts/report/failure-groups.ts'
import type { CheckResult, RunEvent } from '../../../contracts/run/run-result.ts'
import { buildCheck, buildExchange, buildResult, buildRun } from '../support/run-results.ts'

const transaction = { type: 'transactions', id: 't' } as const
const item = { type: 'items', id: 'i' } as const

function refusal(fields: Partial<Exchange> = {}): Exchange {
  return buildExchange('a notification', { status: 500, about: transaction, ...fields })
}

const usual = { isUsual: true } as const

function one(id: string, finding: Finding, fields: Partial<CheckResult> = {}): CheckResult {
  return buildResult(finding, { check: buildCheck(id), ...fields })
}

const weak = (result: CheckResult) => ({
  ...result,
  check: buildCheck(result.check.id, { severity: 'should' }),
})

const refused = (id: string, fields: Partial<Exchange> = {}) =>
  one(id, failed('2xx', '500', { exchanges: [refusal(fields)] }))

function acted(id: string, effects: number, { target = transaction, status = 204 }: Acted = {}): CheckResult {
  const exchange = buildExchange('a payment', { status, about: target, ...usual })
  const events: readonly RunEvent[] = [
    { kind: 'sent', atMs: 0, exchange },
    { kind: 'effects', atMs: 1, target, seen: { effects, state: null } },
  ]
  const finding = withSymptom(failed('one effect', 'another', { objects: [target] }), effects, 1)
  return one(id, finding, { events })
}

interface Acted {
  readonly target?: ObjectRef
  readonly status?: number
}

const actedOn = (state: string | null): RunEvent => ({
  kind: 'effects',
  atMs: 1,
  target: transaction,
  seen: { effects: 1, state },
})

function undue(id: string, state: string): CheckResult {
  const finding = withSymptom(failed('no effect', 'one effect', { objects: [transaction] }), 1, 0)
  return one(id, finding, { events: [actedOn(state)] })
}

const ids = ({ lead, others, unjudged }: FailureGroup) => [
  lead.check.id,
  others.map(({ check }) => check.id),
  unjudged.map(({ check }) => check.id),
]

/** An accepted exchange. Without an accepted exchange, the receiver would seem to reject everything. */
const accepted = one('a/accepted', PASSED, {
  events: [{ kind: 'sent', atMs: 0, exchange: buildExchange('items', { about: item, ...usual }) }],
})

const causeOf = (...results: readonly CheckResult[]) => groupByCause(buildRun(...results)).failures[0]?.cause

const groups = (...results: readonly CheckResult[]) =>
  groupByCause(buildRun(accepted, ...results)).failures.map(ids)

test('an inconclusive check joins the failure group of the rejection that caused it', () => {
  const control = one('a/control', controlFailed('500', { exchanges: [refusal({ role: 'control' })] }))

  expect(groups(refused('a/usual', usual), control)).toEqual([['a/usual', [], ['a/control']]])
  expect(groupByCause(buildRun(refused('a/usual', usual), control)).unjudged).toEqual([])
})

test('failures form one group when the receiver rejects normal notifications of every type', () => {
  const results = [refused('a/usual', usual), refused('a/item', { about: item, ...usual })]

  expect(groupByCause(buildRun(...results)).failures.map(ids)).toEqual([['a/usual', ['a/item'], []]])
  expect(causeOf(...results)).toEqual({ kind: 'refused', type: undefined, answer: 500 })
})

test('all rejections form one failure group when the receiver rejects every normal notification', () => {
  const testPost = one(
    'a/test-post',
    failed('2xx', '500', { exchanges: [buildExchange('x', { status: 500 })] }),
  )

  expect(groupByCause(buildRun(refused('a/usual', usual), testPost)).failures.map(ids)).toEqual([
    ['a/usual', ['a/test-post'], []],
  ])
  expect(groups(refused('a/usual', usual), testPost)).toHaveLength(2)
})

test('repeated effects that occur only after a process restart form a separate failure group', () => {
  const restarted = ({ check, ...result }: CheckResult): CheckResult => ({
    ...result,
    check: { ...check, needs: ['process'] },
  })
  const results = [restarted(acted('a/one', 2)), restarted(acted('a/two', 2))]
  const causes = (...all: readonly CheckResult[]) =>
    groupByCause(buildRun(...all)).failures.map(({ cause }) => cause)

  expect(causes(...results)).toMatchObject([{ kind: 'repeated-after-start' }])
  expect(causes(...results, acted('a/three', 2))).toMatchObject([{ kind: 'repeated-effect' }])
})

test('all checks of an unreachable receiver form one failure group', () => {
  const gone = (id: string) => one(id, unreachable('gone', refusal({ status: null, reason: 'refused' })))

  expect(groupByCause(buildRun(gone('a/one'), gone('a/two'))).unjudged.map(ids)).toEqual([
    ['a/one', [], ['a/two']],
  ])
})

test('a report shows a failed effects page of the platform once for all checks', () => {
  const unread = (id: string) => one(id, probeFailed(`Cannot read effects.http at https://page.test/${id}`))

  const [group, ...others] = groupByCause(buildRun(unread('a/one'), unread('a/two'))).unjudged

  expect(group && ids(group)).toEqual(['a/one', [], ['a/two']])
  expect(group && describeUnjudged(group)).toBe(
    'The checks could not reach your platform: Cannot read effects.http at https://page.test/a/one',
  )
  expect(others).toEqual([])
})

const broken = { status: null, reason: 'protocol_error', ...usual } as const
const cut = (id: string, reason: string) => refused(id, { status: null, reason, ...usual })

const GROUPS: readonly (readonly [
  what: string,
  results: readonly CheckResult[],
  groups: readonly (readonly string[])[],
  cause?: object,
])[] = [
  [
    'a rejected notification joins the failure group of normal notifications that were rejected with the same status',
    [refused('a/usual', usual), refused('a/odd'), weak(refused('a/weak'))],
    [['a/usual', 'a/odd', 'a/weak']],
    { kind: 'refused', type: 'transactions', answer: 500 },
  ],
  [
    'missing effects form one failure group when the receiver never acts',
    [acted('a/one', 0), acted('a/two', 0, { target: item })],
    [['a/one', 'a/two']],
    { kind: 'no-effect', type: undefined },
  ],
  [
    'repeated effects form one failure group, which names the object type if all effects have the same type',
    [acted('a/one', 2), acted('a/two', 3)],
    [['a/one', 'a/two']],
    { kind: 'repeated-effect', type: 'transactions' },
  ],
  [
    'undue effects are grouped by object state',
    [undue('a/one', 'failed'), undue('a/two', 'failed'), undue('a/three', 'cancelled')],
    [['a/one', 'a/two'], ['a/three']],
    { kind: 'undue-effect', type: 'transactions', state: 'failed' },
  ],
  [
    'undue effects do not form one failure group when a passed check has an effect in the same state',
    [
      one('a/right', PASSED, { events: [actedOn('successful')] }),
      undue('a/one', 'successful'),
      undue('a/two', 'successful'),
    ],
    [['a/one'], ['a/two']],
  ],
  [
    'an effect that follows a rejected notification forms a separate failure group',
    [
      refused('a/usual', usual),
      one('a/acts', failed('nothing', 'one effect', { exchanges: [refusal()], objects: [transaction] }), {
        events: [actedOn(null)],
      }),
    ],
    [['a/usual'], ['a/acts']],
  ],
  [
    'groupByCause() groups all checks that received a non-HTTP response',
    [
      refused('a/first', broken),
      refused('b/of-another-type', { ...broken, about: item }),
      { ...acted('c/no-effect', 0), events: [{ kind: 'sent', atMs: 0, exchange: refusal(broken) }] },
      refused('d/refused'),
    ],
    [['a/first', 'b/of-another-type', 'c/no-effect'], ['d/refused']],
  ],
  [
    'the report lists required checks first, and shared causes before single failures',
    [
      weak(one('a/weak', failed('a', 'b', {}))),
      one('a/alone', failed('a', 'b', {})),
      refused('a/usual', usual),
      refused('a/odd'),
    ],
    [['a/usual', 'a/odd'], ['a/alone'], ['a/weak']],
  ],
  [
    'broken connections form one failure group, and late responses form another',
    [cut('a/reset', 'reset'), cut('a/closed', 'closed_without_response'), cut('a/late', 'header_timeout')],
    [['a/reset', 'a/closed'], ['a/late']],
  ],
  [
    'rejections with another status or type form separate failure groups',
    [refused('a/usual', usual), refused('a/status', { status: 422 }), refused('a/type', { about: item })],
    [['a/usual'], ['a/status'], ['a/type']],
  ],
  [
    'a missing effect joins the failure group of its rejection',
    [refused('a/usual', usual), acted('a/effect', 0, { status: 500 })],
    [['a/usual', 'a/effect']],
  ],
  [
    'sporadically missing effects form separate failure groups',
    [acted('a/one', 0), acted('a/two', 0), acted('a/three', 2)],
    [['a/one'], ['a/two'], ['a/three']],
  ],
  [
    'a known failure neither explains other failures nor counts as a failure',
    [{ ...refused('a/usual', usual), knownFailure: true }, refused('a/odd')],
    [['a/odd']],
  ],
]

test.each(GROUPS.map(([what, ...row]) => [what, row] as const))('%s', (_, [results, expected, cause]) => {
  expect(groups(...results).map(([lead, others]) => [lead, others].flat())).toEqual(expected)
  if (cause) expect(causeOf(accepted, ...results)).toEqual(cause)
})
