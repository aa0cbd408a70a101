import type { CheckContext, OddRequest, ReceiverCheck } from '../../toolkit/check-context.ts'
import { anySubject, type Subject } from '../../toolkit/due.ts'
import { failed, firstOf, notObservable, unreachable, type Finding } from '../../finding.ts'
import { effectsOf, isReached, told } from '../../toolkit/judge.ts'
import type { Sent } from '../../toolkit/sent.ts'
import { butUnseen, effectsUnseen } from '../../toolkit/unseen.ts'

const METHODS = ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] as const

export const otherMethods: ReceiverCheck = {
  id: 'http/other-methods',
  severity: 'should',
  requirement: 'The receiver answers 405 or 404 to every method but POST, and does nothing upon it.',
  lines: [24],
  uses: ['effects'],
  meaning:
    'Crawlers, link previews and monitors send GET and HEAD: one that counts as a notification sets off what no payment stands behind.',
  remedy: 'Route POST alone to the receiver and answer 405 with "Allow: POST" to the rest.',
  negative: true,
  run: sendsOtherMethods,
}

async function sendsOtherMethods(context: CheckContext): Promise<Finding> {
  const subject = await anySubject(context)
  if (!subject) return notObservable('the receiver has no URL')
  const { target } = subject
  const finding = await firstOf(
    async () => {
      for (const method of METHODS) {
        const fault = faultOf(method, await context.request(requestOf(context, method, subject)))
        if (fault) return fault
      }
      return undefined
    },
    () => target && effectsOf(context, target, { effects: 0, because: 'nothing was posted about it' }),
  )
  return butUnseen(finding, effectsUnseen(context, target))
}

/** With the very body that would have an effect if it were posted. */
function requestOf({ receiver }: CheckContext, method: string, { notice }: Subject): OddRequest {
  const url = receiver.url(notice.type)
  if (method !== 'PUT') return { method, url, label: method }
  const headers = { 'content-type': 'application/json' }
  return { method, url, headers, body: notice.body, label: 'PUT of a notification' }
}

function faultOf(method: string, sent: Sent): Finding | undefined {
  const { status } = sent
  if (status === null && !isReached(sent)) return unreachable(told(sent))
  const isFine = status === 405 || status === 404
  if (isFine || (method === 'OPTIONS' && status !== null && status >= 200 && status < 300)) return undefined
  return failed('405 (Method Not Allowed) or 404', told(sent))
}
