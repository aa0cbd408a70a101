import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { catalogue } from '../../contracts/catalogue.ts'
import type { Finding, Receiver } from '../../contracts/check.ts'
import { exitCodeOf, runChecks } from '../../contracts/run-checks.ts'
import type { Outcome } from '../../sandbox/index.ts'
import { EXAMPLES } from '../../spec/generated/examples.ts'
import { answered } from '../support/scripted-transport.ts'

/** What a receiver makes of a body, knowing how often it has had these very bytes before. */
type Answer = (body: string, seenBefore: number) => Outcome

function receiver(answer: Answer): Receiver & { readonly bodies_received: readonly string[] } {
  const bodies_received: string[] = []
  return {
    bodies_received,
    types: ['items'],
    testBody: '{"message":"A test"}',
    async deliver(_, body) {
      const seenBefore = bodies_received.filter((earlier) => earlier === body).length
      bodies_received.push(body)
      return answer(body, seenBefore)
    },
    bodies: async () =>
      EXAMPLES.flatMap((example) =>
        example.type === 'items'
          ? [{ ...example, body: { items: { ...example.body.items, id: randomUUID() } } }]
          : [],
      ),
  }
}

type Reason = Extract<Outcome, { readonly kind: 'unanswered' }>['reason']

const unanswered =
  (reason: Reason): Answer =>
  () => ({ kind: 'unanswered', reason, message: 'It is gone' })

const careful: Answer = () => answered(200)

/** For each check, the receiver that it was written for. */
const DEFECTS: Readonly<Record<string, Answer>> = {
  'registration/accepts-test-post': (body) => answered(body.startsWith('{"message"') ? 400 : 200),
  'http/accepts-golden-bodies': (body) => answered(body.includes('"state":"voided"') ? 422 : 200),
  'idempotency/same-delivery-again': (_, seenBefore) => answered(seenBefore > 0 ? 409 : 200),
}

async function verdicts(answer: Answer): Promise<Record<string, string>> {
  const { results } = await runChecks(catalogue, receiver(answer))
  return Object.fromEntries(results.map(({ check, finding }) => [check.id, finding.kind]))
}

const all = (kind: string) => Object.fromEntries(catalogue.map(({ id }) => [id, kind]))

test.each([200, 201, 202, 204, 299])(
  'every check passes a careful receiver that answers %i',
  async (status) => {
    expect(await verdicts(() => answered(status))).toEqual(all('passed'))
  },
)

test.each(catalogue)('$id is the only check to fail the receiver that it was written for', async ({ id }) => {
  expect(await verdicts(DEFECTS[id] ?? careful)).toEqual({ ...all('passed'), [id]: 'failed' })
})

test.each([100, 199, 300, 302, 400, 404, 410, 429, 500, 503])(
  'every check but the one whose control fails fails a receiver that answers %i to all',
  async (status) => {
    expect(await verdicts(() => answered(status))).toEqual({
      ...all('failed'),
      'idempotency/same-delivery-again': 'inconclusive',
    })
  },
)

test('a receiver that cannot be reached is not judged', async () => {
  const result = await runChecks(catalogue, receiver(unanswered('connect_refused')))

  expect(result.summary).toEqual({ passed: 0, failed: 0, inconclusive: catalogue.length })
  expect(exitCodeOf(result)).toBe(3)
  expect(result.results.map(({ finding }) => finding)).toEqual(
    catalogue.map(() =>
      expect.objectContaining({ why: expect.stringContaining('connect_refused: It is gone') }),
    ),
  )
})

test('a check is inconclusive when the receiver goes away in the middle', async () => {
  const leaving: Answer = (_, seenBefore) =>
    seenBefore > 1 ? unanswered('connect_refused')('', 0) : answered(200)

  expect(await verdicts(leaving)).toEqual({
    ...all('passed'),
    'idempotency/same-delivery-again': 'inconclusive',
  })
})

const TWO_ITEMS = EXAMPLES.filter(({ name }) => name === 'items-pending' || name === 'items-voided')

/** Once a connection stood, a delivery without an answer has failed like one that was refused. */
const REACHED = [
  'send_timeout',
  'header_timeout',
  'closed_without_response',
  'reset',
  'protocol_error',
  'unexpected_upgrade',
] as const

test.each(REACHED)('a receiver that is reached and ends with %s has failed', async (reason) => {
  const result = await runChecks(catalogue, receiver(unanswered(reason)))

  const [registration] = result.results
  expect(result.summary).toEqual({ passed: 0, failed: catalogue.length - 1, inconclusive: 1 })
  expect(registration?.finding).toMatchObject({
    actual: expect.stringContaining(`not answered: ${reason}: It is gone`),
  })
  expect(exitCodeOf(result)).toBe(1)
})

const UNREACHED = [
  'connect_timeout',
  'dns_not_found',
  'tls_untrusted_ca',
  'unreachable',
  'blocked_address',
  'out_of_resources',
] as const

test.each(UNREACHED)('a receiver that %s kept from being reached is not judged', async (reason) => {
  const result = await runChecks(catalogue, receiver(unanswered(reason)))

  expect(result.summary.inconclusive).toBe(catalogue.length)
  expect(exitCodeOf(result)).toBe(3)
})

test('a refusal counts although the receiver cannot be reached afterwards', async () => {
  const once: Answer = (body) =>
    body.includes('"state":"pending"') ? answered(500) : unanswered('connect_refused')('', 0)
  const golden = catalogue.filter(({ id }) => id === 'http/accepts-golden-bodies')

  const result = await runChecks(golden, { ...receiver(once), bodies: async () => TWO_ITEMS })

  expect(result.results.map(({ finding }) => finding)).toMatchObject([
    { kind: 'failed', actual: 'items-pending was answered 500' },
  ])
  expect(exitCodeOf(result)).toBe(1)
})

test('nothing more is sent after a delivery without an answer', async () => {
  const subject = receiver(unanswered('header_timeout'))

  const { results } = await runChecks(
    catalogue.filter(({ id }) => id === 'http/accepts-golden-bodies'),
    subject,
  )

  expect(subject.bodies_received).toHaveLength(1)
  expect(results[0]?.finding).toMatchObject({ actual: expect.stringMatching(/; \d+ more were not sent$/) })
})

test('a repetition is not judged if the first delivery was refused, and nothing is repeated', async () => {
  const subject = receiver(() => answered(500))

  const result = await runChecks(
    catalogue.filter(({ id }) => id === 'idempotency/same-delivery-again'),
    subject,
  )

  expect(result.results.map(({ finding }) => finding)).toMatchObject([
    { kind: 'inconclusive', cause: 'control-failed', why: expect.stringContaining('was answered 500') },
  ])
  expect([subject.bodies_received.length, exitCodeOf(result)]).toEqual([1, 1])
})

test('the golden bodies are all sent, each about an object of its own', async () => {
  const subject = receiver(careful)

  await runChecks(
    catalogue.filter(({ id }) => id === 'http/accepts-golden-bodies'),
    subject,
  )

  const ids = subject.bodies_received.map((body) => JSON.parse(body).items.id)
  expect(new Set(ids).size).toBe(EXAMPLES.filter(({ type }) => type === 'items').length)
})

test('a delivery that comes again comes in the same bytes', async () => {
  const subject = receiver(careful)

  await runChecks(
    catalogue.filter(({ id }) => id === 'idempotency/same-delivery-again'),
    subject,
  )

  expect(new Set(subject.bodies_received).size).toBe(1)
  expect(subject.bodies_received.length).toBeGreaterThan(1)
})

test('runChecks() tells of each check as it ends, in order', async () => {
  const told: string[] = []

  const { results, summary } = await runChecks(catalogue, receiver(careful), ({ check }) =>
    told.push(check.id),
  )

  expect(told).toEqual(catalogue.map(({ id }) => id))
  expect(results.map(({ check }) => check.id)).toEqual(told)
  expect(summary).toEqual({ passed: told.length, failed: 0, inconclusive: 0 })
})

const FINDINGS = {
  passed: { kind: 'passed', exchanges: [] },
  failed: { kind: 'failed', expected: '', actual: '', meaning: '', exchanges: [] },
  unreachable: { kind: 'inconclusive', cause: 'unreachable', why: '', exchanges: [] },
  'control-failed': { kind: 'inconclusive', cause: 'control-failed', why: '', exchanges: [] },
} satisfies Record<string, Finding>

test.each([
  [[], 0],
  [['passed', 'passed'], 0],
  [['passed', 'failed'], 1],
  [['unreachable', 'failed', 'passed'], 1],
  [['passed', 'unreachable'], 3],
  [['unreachable', 'control-failed'], 3],
  [['passed', 'control-failed'], 1],
] as const)('exitCodeOf() makes of %j %i', (kinds: readonly (keyof typeof FINDINGS)[], code) => {
  const results = catalogue
    .slice(0, 1)
    .flatMap((check) => kinds.map((kind) => ({ check, finding: FINDINGS[kind] })))

  expect(exitCodeOf({ results })).toBe(code)
})
