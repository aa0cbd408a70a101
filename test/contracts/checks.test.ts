import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { catalogue } from '../../contracts/catalogue.ts'
import type { Receiver } from '../../contracts/check.ts'
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
  'every check fails a receiver that answers %i to all',
  async (status) => {
    expect(await verdicts(() => answered(status))).toEqual(all('failed'))
  },
)

test('a receiver that cannot be reached is not judged', async () => {
  const unreachable: Answer = () => ({
    kind: 'unanswered',
    reason: 'connect_refused',
    message: 'Nothing listens',
  })

  const result = await runChecks(catalogue, receiver(unreachable))

  expect(result.summary).toEqual({ passed: 0, failed: 0, inconclusive: catalogue.length })
  expect(exitCodeOf(result)).toBe(3)
  expect(result.results.map(({ finding }) => finding)).toEqual(
    catalogue.map(() =>
      expect.objectContaining({ why: expect.stringContaining('connect_refused: Nothing listens') }),
    ),
  )
})

test('a check is inconclusive when the receiver goes away in the middle', async () => {
  const leaving: Answer = (_, seenBefore) =>
    seenBefore > 1 ? { kind: 'unanswered', reason: 'reset', message: 'It is gone' } : answered(200)

  expect(await verdicts(leaving)).toEqual({
    ...all('passed'),
    'idempotency/same-delivery-again': 'inconclusive',
  })
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

test.each([
  [{ passed: 3, failed: 0, inconclusive: 0 }, 0],
  [{ passed: 0, failed: 0, inconclusive: 0 }, 0],
  [{ passed: 2, failed: 1, inconclusive: 0 }, 1],
  [{ passed: 1, failed: 1, inconclusive: 1 }, 1],
  [{ passed: 2, failed: 0, inconclusive: 1 }, 3],
])('exitCodeOf() makes of %o %i', (summary, code) => {
  expect(exitCodeOf({ results: [], summary })).toBe(code)
})
