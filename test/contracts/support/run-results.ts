import type {
  CheckResult,
  JudgedConsequence,
  RunEvent,
  RunResult,
} from '../../../contracts/run/run-result.ts'
import type { ReportOptions } from '../../../contracts/report/report.ts'
import type { ReceiverCheck } from '../../../contracts/toolkit/check-context.ts'
import {
  PASSED,
  failed,
  notObservable,
  unreachable,
  type Exchange,
  type Finding,
} from '../../../contracts/finding.ts'

export const REPORT_OPTIONS: ReportOptions = {
  repeat: (id) => `npx hookbench check '${id}'`,
  demands: { failOn: 'must', require: [] },
}

export function buildCheck(id: string, fields: Partial<ReceiverCheck> = {}): ReceiverCheck {
  return {
    id,
    severity: 'must',
    requirement: 'The receiver keeps a final state when an earlier one arrives after it.',
    lines: [217, 283],
    meaning: 'A payout that has been made looks unmade, and is made a second time: the money is gone twice.',
    remedy: 'Ask the service for the object, and never go back from a final state.',
    run: async () => PASSED,
    ...fields,
  }
}

export function buildResult(finding: Finding | undefined, fields: Partial<CheckResult> = {}): CheckResult {
  return {
    check: buildCheck('order/final-then-earlier'),
    verdict: finding?.kind ?? 'skipped',
    finding,
    missing: [],
    judged: [],
    events: [],
    tookMs: 12,
    knownFailure: false,
    ...fields,
  }
}

export function buildRun(...results: readonly CheckResult[]): RunResult {
  return {
    receiver: 'https://localhost:9443/notifications/{object_type}/3f9c1d2ab47e8051',
    seed: 7,
    level: 2,
    readings: { 'retry-window': '24h' },
    results,
    consequences: [],
    unreached: null,
    serviceUrl: 'http://127.0.0.1:4010',
    world: null,
    startedAt: '2026-11-20T09:06:38.448Z',
    tookMs: 8_214,
    effectDelay: { latestMs: 40, waitedMs: 5_000 },
  }
}

/** Returns a payment that no check has judged. */
export function missedConsequence(fields: Partial<JudgedConsequence> = {}): JudgedConsequence {
  return {
    kind: 'card-payin',
    object: 'items',
    state: 'completed',
    isConfigured: true,
    isLookedFor: true,
    judgedBy: [],
    obstacle: 'the receiver has no URL for items',
    isMissed: true,
    ...fields,
  }
}

const ID = '5ec80d42-1c2f-4b9e-9a70-5a0f0d6c1b11'
export const TARGET = { type: 'disbursements', id: ID } as const

export function buildExchange(label: string, fields: Partial<Exchange> = {}): Exchange {
  const body = JSON.stringify({ disbursements: { id: ID, state: label.split(' ')[1], amount: 120_000 } })
  return {
    label,
    request: {
      method: 'POST',
      url: 'https://localhost:9443/notifications/disbursements/3f9c1d2ab47e8051',
      headers: [['content-type', 'application/json']],
      body,
    },
    status: 204,
    reason: null,
    message: 'answered 204',
    flags: [],
    tookMs: 3,
    response: { status: 204, headers: [['date', 'Fri, 20 Nov 2026 09:06:38 GMT']], body: '' },
    ...fields,
  }
}

/** Returns the events of a check: a final state, an earlier state, and a second payout by the receiver. */
export function excerpt(): readonly RunEvent[] {
  const sent = (label: string) => buildExchange(label, { about: TARGET })
  return [
    { kind: 'world', atMs: 0, text: 'A realtime payout of 120000 was begun.', about: [] },
    { kind: 'effects', atMs: 1, target: TARGET, seen: { effects: 0, state: null } },
    { kind: 'sent', atMs: 2, exchange: sent('disbursements successful') },
    { kind: 'called', atMs: 3, request: CALL },
    {
      kind: 'effects',
      atMs: 140,
      target: TARGET,
      seen: { effects: 1, state: 'successful', amount: 120_000, currency: 'AUD' },
    },
    { kind: 'sent', atMs: 141, exchange: sent('disbursements pending') },
    { kind: 'effects', atMs: 1_200, target: TARGET, seen: { effects: 2, state: 'pending' } },
  ]
}

export const CALL = callAt('2026-11-20T09:06:38.448Z')

function callAt(at: string): Extract<RunEvent, { readonly kind: 'called' }>['request'] {
  return {
    id: 1,
    at,
    real_at: at,
    method: 'GET',
    path: `/disbursements/${ID}`,
    operation: 'showDisbursement',
    object_type: 'disbursements',
    object_id: ID,
    by: 'sandbox',
    user_agent: 'node',
    status: 200,
    took_ms: 1,
    faults: [],
  }
}

/** Returns a run with each kind of result. */
export function wholeRun(): RunResult {
  const one = (id: string, finding: Finding | undefined, fields: Partial<CheckResult> = {}) =>
    buildResult(finding, { check: buildCheck(id), ...fields })
  const needing = (id: string, ...needs: NonNullable<ReceiverCheck['needs']>) =>
    one(id, notObservable('effects is not configured'), { check: buildCheck(id, { needs }), missing: needs })
  return buildRun(
    one('registration/accepts-test-post', PASSED),
    one('registration/unicode-test-post', PASSED, {
      check: buildCheck('registration/unicode-test-post', { severity: 'should' }),
    }),
    one('transport/trusted-chain', PASSED),
    one('http/accepts-golden-bodies', { kind: 'passed', unobserved: 'whether each had its effect' }),
    one(
      'http/answers-in-time',
      failed('an answer within 5000 ms', 'items completed was answered 204 after 5800 ms', {}),
      {
        check: buildCheck('http/answers-in-time', {
          severity: 'should',
          requirement: 'The receiver answers well within the time-out.',
        }),
        events: [{ kind: 'sent', atMs: 0, exchange: buildExchange('items completed') }],
      },
    ),
    one('idempotency/same-delivery-again', PASSED),
    one(
      'order/final-then-earlier',
      failed(
        `one effect for disbursements ${ID}, because the final state came first`,
        '2 effects, and the receiver shows the state pending',
        { objects: [TARGET] },
      ),
      {
        check: buildCheck('order/final-then-earlier', { readings: ['retry-window'], needs: ['effects'] }),
        events: excerpt(),
      },
    ),
    one('trust/lying-body', failed('no effect', 'one effect', {}), { knownFailure: true }),
    one('trust/absolute-link', PASSED, { knownFailure: true }),
    one('trust/show-hangs', unreachable('items completed was not answered: Nobody listens there')),
    needing('recovery/survives-kill', 'process'),
    needing('recovery/keeps-accepted', 'process', 'effects'),
    needing('trust/source-addresses', 'source-addresses'),
    one('trust/signature', undefined),
  )
}

/** Text that would break a report format if it were not escaped. */
const HOSTILE =
  '<script>alert(1)</script>]]>&amp;"\'`|\n```\n</details>\u0000\u0007\u001B[2J\uFFFE\uD800\u202E\u2066\u009B@team #1 https://evil.test ✓ 𝄞\n::error::x\n  ::warning::y ##[error]z'

/** Returns a run in which all text from outside is hostile. */
export function hostileRun(text = HOSTILE): RunResult {
  const sent = buildExchange(text, {
    reason: text,
    message: text,
    status: 500,
    request: {
      method: 'POST',
      url: `https://localhost/${text}`,
      headers: [['x-odd', text]],
      body: text,
    },
    response: { status: 500, headers: [[text, text]], body: text },
  })
  const target = { type: 'items', id: text } as const
  const events: readonly RunEvent[] = [
    { kind: 'world', atMs: 0, text, about: [] },
    { kind: 'sent', atMs: 0, exchange: sent },
    { kind: 'sent', atMs: 0, exchange: { ...sent, status: null, response: null } },
    {
      kind: 'called',
      atMs: 0,
      request: { ...callAt(text), path: text, user_agent: text, by: text },
    },
    { kind: 'effects', atMs: 0, target, seen: { effects: 3, state: text, currency: text, amount: 1 } },
  ]
  const check = buildCheck('order/final-then-earlier', { needs: ['process'] })
  const run = buildRun(
    buildResult(failed(text, text, { exchanges: [sent] }), { events }),
    buildResult(failed(text, text, { exchanges: [sent] }), { events, knownFailure: true }),
    buildResult(unreachable(text), { events }),
    buildResult(notObservable(text)),
    buildResult(notObservable(text), { check }),
    buildResult({ kind: 'passed', unobserved: text }, { events, knownFailure: true }),
    buildResult(undefined),
  )
  return { ...run, receiver: text, readings: { 'test-text': text } }
}
