import { failed, PASSED, type Exchange, type Finding } from '../../finding.ts'
import type { CheckContext, RawRequest, ReceiverCheck, Message } from '../../toolkit/check-context.ts'
import {
  describeExchange,
  expectEffects,
  failedExchange,
  isAccepted,
  requireAccepted,
  requireReached,
  expectAccepted,
  sendAll,
} from '../../toolkit/expectations.ts'
import { createSample, withSample } from '../../toolkit/expected-effect.ts'
import { goldenMessage, oneExamplePerType } from '../../toolkit/golden-message.ts'
import { NO_URL } from '../../toolkit/unobserved.ts'
import { oneEffectLikeControl } from '../../toolkit/control-comparison.ts'
import { editMessage, named, testBody } from '../../toolkit/messages.ts'

const METHODS = ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] as const

export const requestChecks: readonly ReceiverCheck[] = [
  {
    id: 'http/chunked-body',
    severity: 'should',
    requirement:
      'The receiver accepts a body in chunks, without a Content-Length, even if a chunk ends inside a character.',
    lines: [294],
    readings: ['delivery-success', 'delivery-headers'],
    uses: ['effects'],
    meaning:
      'The document of the service shows no headers of a delivery, and a proxy may forward a body in chunks. If bodies are chunked, a receiver that depends on Content-Length rejects every notification, or accepts an empty body.',
    remedy:
      'Read the body to its end. If your application server cannot read a body in chunks, let your proxy buffer the body first.',
    run: withSample(async (context, { before, target, message }) => {
      const refused = requireAccepted(...(await sendAll(context, before)))
      if (refused) return refused
      const request = makePost(context, named(describeInUmlauts(message), 'in chunks'))
      const sent = await context.request({ ...request, isChunked: true })
      const because = `when ${message.label} came in chunks, without a Content-Length`
      if (isAccepted(sent)) return oneEffectLikeControl(context, { target, because })
      return requireReached(sent) ?? (await requireWithLength(context)) ?? expectAccepted(sent)
    }),
  },
  {
    id: 'http/other-methods',
    severity: 'should',
    requirement:
      'The receiver answers 405, 404 or 501 to every method except POST, and does not act on such a request.',
    lines: [24],
    uses: ['effects'],
    meaning:
      'Crawlers, link previews and monitors send GET and HEAD. If a GET or HEAD request counts as a notification, it starts work without a payment.',
    remedy: 'Route only POST to the receiver. Answer 405 with "Allow: POST" to other methods.',
    negative: true,
    run: withSample(async (context, { target, message }) => {
      for (const method of METHODS) {
        const fault = checkAnswer(method, await context.request(makeRequest(context, method, message)))
        if (fault) return fault
      }
      return expectEffects(context, target, {
        effects: 0,
        because: 'because no notification about this object was posted',
        isLast: true,
      })
    }),
  },
  {
    id: 'http/no-browser-needed',
    severity: 'must',
    requirement: 'The receiver accepts a POST without a cookie, an Origin, a Referer or a form token.',
    lines: [14, 294],
    readings: ['delivery-success', 'delivery-headers'],
    meaning:
      'CSRF protection treats the service like a foreign site, and rejects every notification. The web pages of the platform still work, so the failure is easy to overlook.',
    remedy: "Exempt the receiver's route from CSRF protection and from the login.",
    run: checkWithoutBrowser,
  },
]

function makeRequest(context: CheckContext, method: string, message: Message): RawRequest {
  if (method === 'PUT') return { ...makePost(context, message), method, label: 'PUT of a notification' }
  return { method, url: context.receiver.url(message.type), label: method, about: message }
}

function makePost({ receiver }: CheckContext, message: Message): RawRequest {
  const { type, body, label } = message
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', url: receiver.url(type), headers, body, about: message, label }
}

function checkAnswer(method: string, sent: Exchange): Finding | undefined {
  const { status } = sent
  const isFine = status === 405 || status === 404 || status === 501
  if (isFine || (method === 'OPTIONS' && isAccepted(sent))) return undefined
  return requireReached(sent) ?? failedExchange('405 (Method Not Allowed), 404 or 501', sent)
}

/** The status codes with which CSRF protections and login pages reject a request. Laravel uses 419. */
const GUARDS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 401, 403, 419])

async function checkWithoutBrowser(context: CheckContext): Promise<Finding> {
  const [example] = oneExamplePerType(context.receiver.types())
  if (!example) return NO_URL
  const url = context.receiver.url(example.type)
  const bodies = [
    { label: 'the test POST', makeBody: async () => testBody(context.profile) },
    { label: example.name, makeBody: async () => (await goldenMessage(context, example)).body },
  ]
  for (const { label, makeBody } of bodies) {
    const bare = await context.post({
      url,
      body: await makeBody(),
      label: `${label}, without browser headers`,
    })
    if (isAccepted(bare)) continue
    const expected = '2xx, as for a request from a browser'
    if (bare.status !== null && GUARDS.has(bare.status)) return failedExchange(expected, bare)
    const headers = browserHeaders(url)
    const browsed = await context.post({
      url,
      body: await makeBody(),
      label: 'the same request with browser headers',
      headers,
    })
    if (!isAccepted(browsed)) return requireAccepted(bare) ?? PASSED
    const actual = `${describeExchange(bare)}, and ${describeExchange(browsed)}`
    return failed(expected, actual, { exchanges: [bare, browsed] })
  }
  return PASSED
}

function browserHeaders(url: string): Readonly<Record<string, string>> {
  const { origin } = new URL(url)
  return { origin, referer: `${origin}/`, cookie: 'session=1', 'sec-fetch-site': 'same-origin' }
}

/** Adds multi-byte characters, so that a chunk can end inside a character. */
function describeInUmlauts(message: Message): Message {
  return editMessage(message, (object) =>
    'description' in object ? { ...object, description: 'Überweisung für größere Möbel' } : object,
  )
}

async function requireWithLength(context: CheckContext): Promise<Finding | undefined> {
  const sample = await createSample(context)
  if (!sample) return undefined
  const refused = requireAccepted(...(await sendAll(context, sample.before, { role: 'control' })))
  const request = makePost(context, named(sample.message, 'with a Content-Length'))
  return refused ?? requireAccepted(await context.request(request))
}
