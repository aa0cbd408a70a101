import {
  failed,
  firstFinding,
  notObservable,
  PASSED,
  unreachable,
  withUnobserved,
  type Exchange,
  type Finding,
} from '../../finding.ts'
import type { CheckContext, RawRequest, ReceiverCheck, Message } from '../../toolkit/check-context.ts'
import {
  describeExchange,
  expectEffects,
  isAccepted,
  isReached,
  requireAccepted,
  expectAccepted,
  sendAll,
} from '../../toolkit/expectations.ts'
import { createSample, type Sample } from '../../toolkit/expected-effect.ts'
import { goldenMessage, oneExamplePerType } from '../../toolkit/golden-message.ts'
import { unobservedEffectsOn } from '../../toolkit/unobserved.ts'
import { testMessage } from '../../../spec/notifications.ts'
import { oneEffectLikeControl } from '../../toolkit/control-comparison.ts'
import { editMessage } from '../../toolkit/messages.ts'

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

/** Uses a body that would have an effect as a POST. */
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

export const noBrowserNeeded: ReceiverCheck = {
  id: 'http/no-browser-needed',
  severity: 'must',
  requirement: 'The receiver accepts a POST without a cookie, an Origin, a Referer or a form token.',
  lines: [14, 294],
  readings: ['delivery-success', 'delivery-headers'],
  meaning:
    'CSRF protection treats the service like a foreign site. It rejects every notification, although each page of the platform works.',
  remedy: 'Exempt the route of the receiver from CSRF protection and from the login.',
  run: checkWithoutBrowser,
}

/** Answers of form and login guards. Only they use 419. */
const GUARDS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 401, 403, 419])

async function checkWithoutBrowser(context: CheckContext): Promise<Finding> {
  const [example] = oneExamplePerType(context.receiver.types())
  if (!example) return notObservable('the receiver has no URL')
  const url = context.receiver.url(example.type)
  const test = JSON.stringify(testMessage(context.profile.readings['test-text']))
  const bodies = [
    { label: 'the test POST', makeBody: async () => test },
    { label: example.name, makeBody: async () => (await goldenMessage(context, example)).body },
  ]
  for (const { label, makeBody } of bodies) {
    const bare = await context.post({ url, body: await makeBody(), label: `${label}, without a browser` })
    if (isAccepted(bare)) continue
    const expected = 'the same answer as a browser gets: 2xx'
    if (bare.status !== null && GUARDS.has(bare.status))
      return failed(expected, describeExchange(bare), { exchanges: [bare] })
    const headers = browserHeaders(url)
    const browsed = await context.post({
      url,
      body: await makeBody(),
      label: 'the same as a browser',
      headers,
    })
    if (isAccepted(browsed))
      return failed(expected, `${describeExchange(bare)}, and ${describeExchange(browsed)}`, {
        exchanges: [bare, browsed],
      })
    return requireAccepted(bare) ?? PASSED
  }
  return PASSED
}

function browserHeaders(url: string): Readonly<Record<string, string>> {
  const { origin } = new URL(url)
  return { origin, referer: `${origin}/`, cookie: 'session=1', 'sec-fetch-site': 'same-origin' }
}

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
  const sent = await context.request({ ...makeChunkedRequest(context, chunked), label, isChunked: true })
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
  return refused ?? requireAccepted(await context.request(makeChunkedRequest(context, sample)))
}

function makeChunkedRequest({ receiver }: CheckContext, { message }: Sample): RawRequest {
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
