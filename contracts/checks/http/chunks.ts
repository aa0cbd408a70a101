import type { CheckContext, Message, RawRequest, ReceiverCheck } from '../../toolkit/check-context.ts'
import { firstFinding, notObservable, unreachable, withUnobserved, type Finding } from '../../finding.ts'
import { oneEffectLikeControl } from '../../toolkit/control-comparison.ts'
import {
  describeExchange,
  expectAccepted,
  isAccepted,
  isReached,
  requireAccepted,
  sendAll,
} from '../../toolkit/expectations.ts'
import { createSample, type Sample } from '../../toolkit/expected-effect.ts'
import { editMessage } from '../../toolkit/messages.ts'
import { unobservedEffectsOn } from '../../toolkit/unobserved.ts'

export const chunkedBody: ReceiverCheck = {
  id: 'http/chunked-body',
  severity: 'should',
  requirement:
    'The receiver accepts a body in chunks, without a Content-Length, even if a chunk ends inside a character.',
  lines: [294],
  readings: ['delivery-success', 'delivery-headers'],
  uses: ['effects'],
  meaning:
    'The document shows no headers of a delivery, and a proxy may forward a body in chunks. A receiver that depends on a length then reads nothing. It rejects every notification, or accepts an empty one.',
  remedy:
    'Read the body to its end. If your application server cannot, let the proxy collect the body first.',
  run: checkChunkedBody,
}

async function checkChunkedBody(context: CheckContext): Promise<Finding> {
  const sample = await createSample(context)
  if (!sample) return notObservable('the receiver has no URL')
  const { before, target, message } = sample
  const refused = requireAccepted(...(await sendAll(context, before)))
  if (refused) return refused
  const label = `${message.label}, in chunks`
  const chunked = { ...sample, message: describeInUmlauts(message) }
  const sent = await context.request({ ...makeRequest(context, chunked), label, isChunked: true })
  if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
  const finding = await firstFinding(
    async () => (isAccepted(sent) ? undefined : ((await requireWithLength(context)) ?? expectAccepted(sent))),
    () =>
      oneEffectLikeControl(context, {
        target,
        because: `of which ${message.label} was notified in chunks, without a Content-Length`,
      }),
  )
  return withUnobserved(finding, unobservedEffectsOn(context, target))
}

/** Lets a chunk end inside a character. */
function describeInUmlauts(message: Message): Message {
  return editMessage(message, (object) =>
    'description' in object ? { ...object, description: 'Überweisung für größere Möbel' } : object,
  )
}

/** A rejection is only meaningful if the receiver accepts the request with a length. */
async function requireWithLength(context: CheckContext): Promise<Finding | undefined> {
  const sample = await createSample(context)
  if (!sample) return undefined
  const refused = requireAccepted(...(await sendAll(context, sample.before, { role: 'control' })))
  return refused ?? requireAccepted(await context.request(makeRequest(context, sample)))
}

function makeRequest({ receiver }: CheckContext, { message }: Sample): RawRequest {
  const { type, body, label } = message
  return {
    method: 'POST',
    url: receiver.url(type),
    headers: { 'content-type': 'application/json' },
    body,
    about: message,
    label: `${label}, with a length`,
  }
}
