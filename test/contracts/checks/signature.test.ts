import { expect, test } from 'vitest'
import { isSigned } from '../../../contracts/reference-receiver/starter/receiver.mjs'
import type { ReceiverCheck } from '../../../contracts/toolkit/check-context.ts'
import { notifiedTypes } from '../../../spec/notifications.ts'
import { careful } from '../support/careful.ts'
import { SECRET, TOKEN, type ContextOptions } from '../support/check-context.ts'
import type { Incoming, Receive } from '../support/scripted-receiver.ts'
import { checksOf, answering, checkNamed, findingOf } from '../support/verdicts.ts'

const SIGNED: Pick<ContextOptions, 'profile'> = { profile: { signed: true } }
const named = (id: string) => checkNamed(`signature/${id}`)

function isVerified({ headers, body }: Incoming): boolean {
  const bytes = new TextEncoder().encode(body)
  return isSigned({ header: headers['webhooks-signature'], body: bytes, now: Date.now() }, [SECRET])
}

/** A receiver that verifies a webhook's signature before it does anything else. */
const verifying: Receive = (request, desk) =>
  request.generation === 'callbacks' || isVerified(request) ? careful(request, desk) : { status: 401 }

const lateVerifying: Receive = (request, desk) =>
  request.generation === 'callbacks' || isVerified(request) ? careful(request, desk) : { status: 200 }

const verdictOf = async (check: ReceiverCheck, options: Partial<ContextOptions>) =>
  (await findingOf(check, { ...SIGNED, ...options })).kind

test.each(checksOf('signature'))('the check $id passes receivers that verify signatures', async (check) => {
  expect(await findingOf(check, { ...SIGNED, receive: verifying })).toEqual({ kind: 'passed' })
})

const RECEIVERS: readonly (readonly [what: string, options: Partial<ContextOptions>, verdict: string])[] = [
  ['responds first and verifies the signature later', { receive: lateVerifying }, 'passed'],
  ['does not show its effects', { receive: verifying, observe: { effects: false } }, 'passed'],
  ['gets no payments', { receive: verifying, types: ['items', 'users'] }, 'passed'],
  ['rejects every request', { receive: answering(401) }, 'inconclusive'],
]

test.each(RECEIVERS)(
  'each signature check returns the expected verdict for a receiver that %s (%#)',
  async (_, options, verdict) => {
    for (const check of checksOf('signature'))
      expect([check.id, await verdictOf(check, options)]).toEqual([check.id, verdict])
  },
)

const FORGED = ['missing', 'wrong', 'other-secret', 'other-body', 'unreadable', 'too-old', 'too-far-ahead']

test.each(FORGED)('signature/%s judges only responses when calls and effects are invisible', async (id) => {
  expect(await verdictOf(named(id), { receive: lateVerifying, observe: { effects: false } })).toBe('failed')
})

test('the check signature/missing is not observable when callbacks and webhooks use the same URL', async () => {
  const template = `https://receiver.test/{object_type}/${TOKEN}`

  expect(await verdictOf(named('missing'), { receive: careful, template, types: ['transactions'] })).toBe(
    'not-observable',
  )
})

const verifyingAllBut =
  (type: string, otherwise: Receive): Receive =>
  (request, desk) =>
    request.type === type ? careful(request, desk) : otherwise(request, desk)

test.each(notifiedTypes)('the check signature/missing also posts to the receiver URL of %s', async (type) => {
  for (const otherwise of [verifying, lateVerifying]) {
    const receive = verifyingAllBut(type, otherwise)

    expect(await verdictOf(named('missing'), { receive })).toBe('failed')
  }
})

test('the check signature/missing reports the effect when the receiver accepts a forged webhook', async () => {
  const finding = await findingOf(named('missing'), { ...SIGNED, receive: careful })

  expect(finding).toMatchObject({
    kind: 'failed',
    expected: expect.stringMatching(/^no effect for batch_transactions .*unsigned"$/),
    evidence: { exchanges: [{ label: 'batch_transactions successful, unsigned' }] },
  })
})

test('findings about forged notifications contain no secret', async () => {
  const findings = await Promise.all(
    checksOf('signature').map((check) => findingOf(check, { ...SIGNED, receive: careful })),
  )

  expect(JSON.stringify(findings)).not.toContain(SECRET)
})
