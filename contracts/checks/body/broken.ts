import type { CheckContext, PostRequest, ReceiverCheck } from '../../toolkit/check-context.ts'
import { failed, notObservable, withUnobserved, type Exchange, type Finding } from '../../finding.ts'
import {
  describeEffects,
  describeTimed,
  expectEffects,
  expectRefused,
  failedExchange,
  requireReached,
} from '../../toolkit/expectations.ts'
import { expectedEffect, NO_PAYMENT_URL, withSample } from '../../toolkit/expected-effect.ts'
import { noUrlFor, unobservedEffects } from '../../toolkit/unobserved.ts'

export const brokenBodyChecks: readonly ReceiverCheck[] = [
  {
    id: 'body/other-type-on-url',
    severity: 'should',
    requirement:
      'If an object arrives at the URL for another type, the receiver does not process it as that type.',
    lines: [12, 282],
    uses: ['calls', 'effects'],
    meaning:
      'You do not notice that a type is registered with the wrong URL. The platform books transactions as payouts, and counts money twice.',
    remedy: 'Compare the wrapper key of the body with the type of the URL, and reject a different type.',
    negative: true,
    run: checkOtherType,
  },
  {
    id: 'body/broken-json',
    severity: 'should',
    requirement:
      'The receiver promptly answers 4xx to a body that is not a JSON object, and does not act on it.',
    lines: [294],
    uses: ['effects'],
    meaning:
      'A truncated body crashes the receiver, or counts as delivered. If a truncated body counts as delivered, the service never sends the complete body, and the payment is lost.',
    remedy: 'Answer 400 to a body that does not parse, or that is not an object.',
    negative: true,
    run: checkRefusals('a response from 400 to 499', (body) => [
      { body: body.slice(0, -2), label: 'a body cut at its end' },
      { body: body.slice(0, body.length / 2), label: 'a body cut in the middle' },
      { body: '', label: 'an empty body' },
      { body: '[]', label: 'the body []' },
      { body: 'null', label: 'the body null' },
      { body: '"x"', label: 'the body "x"' },
    ]),
  },
  {
    id: 'body/other-content-types',
    severity: 'should',
    requirement: 'The receiver answers 4xx to a body that is not sent as JSON, and does not act on it.',
    lines: [294],
    uses: ['effects'],
    meaning:
      'A page in any browser can post text and forms to any address without permission. A receiver that treats text or a form as a notification lets strangers claim payments.',
    remedy: 'Answer 415 unless the media type is application/json.',
    negative: true,
    run: checkRefusals('415 (Unsupported Media Type) or 400', (body) => [
      { body, label: 'a notification as text/plain', headers: { 'content-type': 'text/plain' } },
      {
        body: `${encodeURIComponent(body)}=`,
        label: 'a notification as a form',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ]),
  },
]

type Oddity = Pick<PostRequest, 'body' | 'label' | 'headers'>

function checkRefusals(expected: string, makeOddities: (body: string) => readonly Oddity[]) {
  return withSample(async (context, { message, target }) => {
    const url = context.receiver.url(message.type)
    for (const oddity of makeOddities(message.body)) {
      const sent = await context.post({ url, about: message, ...oddity })
      const fault = expectRefused(expected, sent) ?? checkDelay(context, sent)
      if (fault) return fault
    }
    return expectEffects(context, target, {
      effects: 0,
      because: 'because no readable request arrived',
      isLast: true,
    })
  })
}

function checkDelay({ profile: { warnMs } }: CheckContext, sent: Exchange): Finding | undefined {
  if (sent.tookMs < warnMs) return undefined
  return failedExchange(`a rejection in less than ${warnMs} ms`, sent, describeTimed(sent))
}

async function checkOtherType(context: CheckContext): Promise<Finding> {
  const { receiver, effects, calls } = context
  // Notifications of these types can cause effects, and a receiver may confuse the types.
  const types = ['transactions', 'disbursements'] as const
  if (types.some((type) => !receiver.types().includes(type))) return noUrlFor(types)
  const url = receiver.url('disbursements')
  if (url === receiver.url('transactions')) return notObservable('the receiver has one URL for all types')
  if (!effects.observable && !calls.observable)
    return notObservable('neither the calls of the receiver to the service nor its effects are observable')
  const due = await expectedEffect(context, { type: 'transactions' })
  if (!due) return NO_PAYMENT_URL
  const label = 'transactions to the URL for disbursements'
  const sent = await context.post({ url, body: due.message.body, label, about: due.target })
  const finding = requireReached(sent) ?? (await expectNoMistake(context, due.target.id, sent))
  return withUnobserved(
    finding,
    unobservedEffects(context),
    calls.observable ? undefined : 'the calls of the receiver to the service',
  )
}

/** Returns a failure if the receiver acts on a nonexistent object, reports its state, or asks the service about it. */
async function expectNoMistake({ calls, effects }: CheckContext, id: string, sent: Exchange) {
  const target = { type: 'disbursements', id } as const
  const evidence = { exchanges: [sent], objects: [target] }
  const expected = `no effect on ${target.type} ${id}, because the id belongs to transactions`
  if (effects.observable) {
    const seen = await effects.settle(target, 0)
    if (seen.effects !== 0 || seen.state !== null) return failed(expected, describeEffects(seen), evidence)
  }
  const [call] = calls.observable ? await calls.settleAtMost(target, 0) : []
  return (
    call &&
    failed(expected, `the receiver asked the service for ${call.path}`, { ...evidence, calls: [call] })
  )
}
