import type { CheckContext, RawRequest, ReceiverCheck } from '../../toolkit/check-context.ts'
import {
  failed,
  firstFinding,
  notObservable,
  unreachable,
  withUnobserved,
  type Exchange,
  type Finding,
} from '../../finding.ts'
import { describeExchange, expectEffects, isReached } from '../../toolkit/expectations.ts'
import { createSample, type Sample } from '../../toolkit/expected-effect.ts'
import { unobservedEffectsOn } from '../../toolkit/unobserved.ts'
import { isAccepted } from '../../toolkit/expectations.ts'

const METHODS = ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] as const

export const otherMethods: ReceiverCheck = {
  id: 'http/other-methods',
  severity: 'should',
  requirement:
    'The receiver answers 405, 404 or 501 to every method except POST, and does not act on such a request.',
  lines: [24],
  uses: ['effects'],
  meaning:
    'Crawlers, link previews and monitors send GET and HEAD. If such a request counts as a notification, it starts work without a payment.',
  remedy: 'Route only POST to the receiver. Answer 405 with "Allow: POST" to other methods.',
  negative: true,
  run: checkOtherMethods,
}

async function checkOtherMethods(context: CheckContext): Promise<Finding> {
  const subject = await createSample(context)
  if (!subject) return notObservable('the receiver has no URL')
  const { target } = subject
  const finding = await firstFinding(
    async () => {
      for (const method of METHODS) {
        const fault = checkAnswer(method, await context.request(makeRequest(context, method, subject)))
        if (fault) return fault
      }
      return undefined
    },
    () =>
      target &&
      expectEffects(context, target, { effects: 0, because: 'nothing was posted about it', isLast: true }),
  )
  return withUnobserved(finding, unobservedEffectsOn(context, target))
}

/** With the very body that would have an effect if it were posted. */
function makeRequest({ receiver }: CheckContext, method: string, { message }: Sample): RawRequest {
  const url = receiver.url(message.type)
  if (method !== 'PUT') return { method, url, label: method, about: message }
  const headers = { 'content-type': 'application/json' }
  return { method, url, headers, body: message.body, about: message, label: 'PUT of a notification' }
}

function checkAnswer(method: string, sent: Exchange): Finding | undefined {
  const { status } = sent
  if (status === null && !isReached(sent)) return unreachable(describeExchange(sent), sent)
  const isFine = status === 405 || status === 404 || status === 501
  if (isFine || (method === 'OPTIONS' && isAccepted(sent))) return undefined
  return failed('405 (Method Not Allowed), 404 or 501', describeExchange(sent), { exchanges: [sent] })
}
