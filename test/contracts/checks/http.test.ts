import { expect, test } from 'vitest'
import { PASSED } from '../../../contracts/finding.ts'
import { careful, readObject, subjectOf, take } from '../support/careful.ts'
import type { ContextOptions } from '../support/check-context.ts'
import type { Incoming } from '../support/scripted-receiver.ts'
import { checksOf, defective, findingOf } from '../support/verdicts.ts'

const run = (name: string, options?: Partial<ContextOptions>) => findingOf(`http/${name}`, options)

test('the check "accepts-golden-bodies" sends one body per type, kind and state, and the service has each object', async () => {
  const seen: Incoming[] = []
  const missing: string[] = []
  const receive = defective(async (request, desk) => {
    seen.push(request)
    const { type = '', id = '' } = subjectOf(readObject(request.body) ?? {}) ?? {}
    if ((await desk.call(`/${type}/${id}`)).status !== 200) missing.push(`${type} ${id}`)
    return undefined
  })

  await run('accepts-golden-bodies', { receive })

  const ids = seen.map(({ body }) => JSON.stringify(subjectOf(readObject(body) ?? {})))
  expect(missing).toEqual([])
  expect(new Set(ids).size).toBe(seen.length)
  expect(seen.length).toBeGreaterThan(40)
})

test('the check "accepts-golden-bodies" lists the object types that were not sent', async () => {
  expect(await run('accepts-golden-bodies', { types: ['items', 'users'] })).toMatchObject({
    kind: 'passed',
    unobserved: expect.stringMatching(/^the receiver has no URL for batch_transactions, .*virtual_accounts$/),
  })
})

test.each(['no-redirect', 'answers-in-time', 'small-answers'])(
  'the check %s judges accepted deliveries and lists rejected deliveries as unobserved',
  async (name) => {
    const receive = defective(({ type }) => (type === 'companies' ? { status: 422 } : undefined))

    expect(await run(name, { receive })).toEqual({
      kind: 'passed',
      unobserved: expect.stringMatching(
        /^(only 4\d of 50 deliveries were accepted|.*companies was answered 422$)/,
      ),
    })
  },
)

const slowAtFirst = (most: number, tookMs: number) => {
  let count = 0
  return defective(() => (count++ < most ? { status: 200, tookMs } : undefined))
}

const slowEvery = (nth: number, tookMs: number) => {
  let count = 0
  return defective(() => (count++ % nth === 0 ? { status: 200, tookMs } : undefined))
}

test.each([
  [
    'fails a receiver when 3 of 45 responses are slow',
    slowEvery(15, 5_000),
    { kind: 'failed', actual: '3 of 45 answers took 5000 ms or more' },
  ],
  [
    'fails one answer of fifty that takes as long as the deadline',
    slowEvery(50, 10_000),
    {
      kind: 'failed',
      expected: 'an answer in less than 10000 ms',
      actual: expect.stringMatching(/was answered 200 after 10000 ms$/),
    },
  ],
  ['passes three slow answers at first', slowAtFirst(3, 5_000), PASSED],
  ['passes one late answer at first', slowAtFirst(1, 10_000), PASSED],
  ['passes a receiver when 2 of 50 responses are slow', slowEvery(25, 5_000), { kind: 'passed' }],
  [
    'fails a receiver that exceeds the response deadline',
    defective(() => ({ reason: 'header_timeout' })),
    { kind: 'failed' },
  ],
  [
    'stops early when the receiver is slow',
    slowEvery(1, 4_000),
    { kind: 'passed', unobserved: 'only 5 of 50 deliveries were accepted in 20000 ms' },
  ],
])('the check "answers-in-time" %s', async (_, receive, finding) => {
  expect(await run('answers-in-time', { receive })).toMatchObject(finding)
})

test.each([
  ['GET', 200, 'failed'],
  ['PUT', 500, 'failed'],
  ['OPTIONS', 500, 'failed'],
  ['OPTIONS', 204, 'passed'],
  ['GET', 404, 'passed'],
])('the check "other-methods" gives a receiver that answers %s with %i the verdict %s', async (...row) => {
  const [method, status, kind] = row
  const receive = defective((request) => (request.method === method ? { status } : undefined))
  const failure = {
    expected: '405 (Method Not Allowed), 404 or 501',
    actual: expect.stringMatching(new RegExp(`^${method}( of a notification)? was answered ${status}$`)),
  }

  const finding = await run('other-methods', { receive })

  expect(finding).toMatchObject({ kind, ...(kind === 'failed' && failure) })
})

/** A receiver that acts on a PUT request and then rejects the request. */
const actsOnPut = defective((request, desk) => {
  const subject = request.method === 'PUT' ? subjectOf(readObject(request.body) ?? {}) : undefined
  const shown: Record<string, never> = JSON.parse(request.body || '{}')
  if (subject) take(desk, { ...subject, object: shown[subject.type] ?? {} })
  return undefined
})

test('the check "other-methods" fails a receiver that acts on a PUT', async () => {
  expect(await run('other-methods', { receive: actsOnPut })).toMatchObject({
    kind: 'failed',
    expected: expect.stringContaining('no notification about this object was posted'),
    actual: expect.stringMatching(/^one effect of AUD \d+\.\d\d/),
  })
})

test.each([
  [
    { observe: { effects: false } },
    'the effects of the receiver, because the configuration has no "effects"',
  ],
  [
    { types: ['users'] as const },
    'the effects of the receiver, because the receiver has no URL for a payment',
  ],
])('the check "other-methods" lists effects as unobserved with options %j', async (options, unobserved) => {
  expect(await run('other-methods', options)).toEqual({ kind: 'passed', unobserved })
})

test('every HTTP check passes a receiver with one URL for all types', async () => {
  const receive = defective((request, desk) => {
    const subject = subjectOf(readObject(request.body) ?? {})
    return subject ? careful({ ...request, type: subject.type }, desk) : undefined
  })
  const kinds = []
  for (const check of checksOf('http'))
    kinds.push((await findingOf(check, { receive, template: 'https://receiver.test/all' })).kind)

  expect(kinds).toEqual(checksOf('http').map(() => 'passed'))
})

const inChunks = ({ headers }: Incoming) => headers['transfer-encoding'] === 'chunked'

test('the check "chunked-body" fails a receiver that requires a Content-Length header', async () => {
  const receive = defective((request) => (inChunks(request) ? { status: 200 } : undefined))

  expect(await run('chunked-body', { receive })).toMatchObject({
    kind: 'failed',
    expected: expect.stringMatching(/^one effect for .* in chunks, without a Content-Length$/),
    actual: expect.stringMatching(/^no effect/),
  })
  expect(await run('chunked-body', { receive, observe: { effects: false } })).toMatchObject({
    kind: 'passed',
    unobserved: expect.stringContaining('the effects of the receiver'),
  })
})
