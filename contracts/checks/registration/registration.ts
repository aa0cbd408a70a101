import type { Generation } from '../../../spec/delivery.ts'
import type { RequestRecord } from '../../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import { isPredictable } from '../../../sandbox/internal.ts'
import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { goldenMessage, oneExamplePerType } from '../../toolkit/golden-message.ts'
import { PASSED, failed, notObservable, withUnobserved, type Exchange, type Finding } from '../../finding.ts'
import { expectAccepted, expectEffects, requireAccepted, requireReached } from '../../toolkit/expectations.ts'
import { expectedEffect } from '../../toolkit/expected-effect.ts'
import { isToken, testBody } from '../../toolkit/messages.ts'
import { NO_URL, typesWithUrl } from '../../toolkit/unobserved.ts'

export const registrationChecks: readonly ReceiverCheck[] = [
  {
    id: 'registration/accepts-test-post',
    severity: 'must',
    requirement: 'The receiver accepts the test POST at each of its URLs.',
    lines: [14, 330],
    readings: ['delivery-success', 'test-text'],
    meaning:
      'The URL cannot be registered. No notification ever arrives, and your platform never acts on a successful payment.',
    remedy: 'Answer 2xx to a body {"message":"…"} with any text, before you read anything else.',
    async run(context) {
      const posts = uniqueUrls(context).map((place) => ({
        ...place,
        label: `the test POST for ${place.generation} of ${place.type}`,
      }))
      if (posts.length === 0) return NO_URL
      return expectAccepted(...(await postAll(context, posts))) ?? PASSED
    },
  },
  {
    id: 'registration/any-test-text',
    severity: 'should',
    requirement: 'The receiver accepts a test POST with any text.',
    lines: [14],
    readings: ['delivery-success', 'test-text'],
    meaning:
      "The service's document does not show the exact text of the test POST. A receiver that expects one specific text cannot be registered in production.",
    remedy:
      'Recognise the test POST by its body, which has one field, "message", with a string. Ignore its text.',
    async run(context) {
      const [place] = uniqueUrls(context)
      if (!place) return NO_URL
      const posts = TEXTS.map(([name, text]) => ({ ...place, text, label: `the test POST with ${name}` }))
      const refused = expectAccepted(...(await postAll(context, posts)))
      if (refused?.kind !== 'failed') return refused ?? PASSED
      const usual = await postAll(context, [{ ...place, label: 'the test POST with the usual text' }])
      return requireAccepted(...usual) ?? refused
    },
  },
  {
    id: 'registration/test-post-without-effect',
    severity: 'should',
    requirement:
      'The receiver does nothing after a test POST. The receiver does not act on any payment, and does not call the service.',
    lines: [14],
    readings: ['test-text'],
    uses: ['calls', 'effects'],
    meaning:
      'Each registration, and each change of a registered URL, starts business processes on your platform. For example, the platform looks up or releases unpaid orders.',
    remedy: 'Answer the test POST at once, before you look up, store or queue anything.',
    negative: true,
    alone: true,
    run: checkQuiet,
  },
  {
    id: 'registration/url-form',
    severity: 'must',
    probes: 'address',
    requirement:
      'Each URL of the receiver is absolute, uses https, and has neither user information nor a fragment.',
    lines: [24, 274, 342],
    meaning:
      'The service does not register the URL, so nothing arrives. Over plain http, anyone on the network can read and change notifications.',
    remedy:
      'Register https://<host>/<path>. Do not put credentials before an @ in the URL. A client never sends the fragment of a URL to the server.',
    run: (context) =>
      checkEachUrl(context, 'absolute https URLs without user information or a fragment', describeFault),
  },
  {
    id: 'registration/unguessable-url',
    severity: 'should',
    probes: 'address',
    requirement:
      'The path of each URL has a segment that is impossible to guess, with at least 32 random hex or 22 random base64url characters.',
    lines: [282],
    meaning:
      'Only knowledge of the URL distinguishes the service from a stranger. Anyone who guesses the URL can claim that a payment has succeeded.',
    remedy:
      'Put 128 random bits into the path, for example the output of "openssl rand -hex 16". Answer 404 to a path that does not contain the random bits.',
    run: (context) =>
      checkEachUrl(
        context,
        'a path segment of at least 32 random hex or 22 random base64url characters',
        (url) =>
          URL.canParse(url) &&
          new URL(url).pathname.split('/').some((each) => isToken(each) && !isPredictable(each))
            ? undefined
            : 'has no random segment of this length',
      ),
  },
]

/** Possible texts of a test POST. The document says only that the text is fixed and mentions the service. Source: §1 */
const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['other words', 'Testing the notification endpoint of this platform'],
  ['one letter', 'x'],
  ['text with characters outside ASCII', 'Überprüfung · 支払いサービス · اختبار · ✓ 🏦'],
  ['10 000 characters', 'A test of the payments service. '.repeat(320).slice(0, 10_000)],
]

/** The number of test POSTs. A call back that follows only one test POST must have another cause. */
const TIMES = 2

async function checkQuiet(context: CheckContext): Promise<Finding> {
  const { calls, effects } = context
  const [place] = uniqueUrls(context)
  if (!place) return NO_URL
  if (!calls.observable && !effects.observable)
    return notObservable('neither the calls of the receiver to the service nor its effects are observable')
  const due = await expectedEffect(context)
  const after: RequestRecord[][] = []
  const exchanges: Exchange[] = []
  for (let time = 0; time < TIMES; time++) {
    const last = (await listStrayCalls(context)).at(-1)?.id ?? 0
    const sent = await postAll(context, [{ ...place, label: 'the test POST' }])
    exchanges.push(...sent)
    const expected = { effects: 0, because: 'because only a test POST arrived', isLast: true } as const
    const acted = requireReached(...sent) ?? (await expectEffects(context, due?.target, expected))
    if (acted) return acted
    await waitForLaterCall(context)
    after.push((await listStrayCalls(context)).filter(({ id }) => id > last))
  }
  const [first] = after.at(-1) ?? []
  if (first !== undefined && after.every((fresh) => fresh.length > 0))
    return failed(
      'no call to the service after a test POST',
      `the receiver called the service after each test POST: ${first.method} ${first.path}`,
      { exchanges, calls: [first] },
    )
  return withUnobserved(
    PASSED,
    calls.observable ? undefined : 'the calls of the receiver to the service',
    effects.observable && due ? undefined : 'the effects of the receiver',
  )
}

/** Waits for a call about a new notification, because the receiver may still be working on earlier requests. */
async function waitForLaterCall(context: CheckContext): Promise<void> {
  // Accounts and companies do not refer to other objects, so the receiver asks only about the object itself.
  const [example] = oneExamplePerType(typesWithUrl(context, ['accounts', 'companies']))
  if (!context.calls.observable || !example) return
  const message = await goldenMessage(context, example)
  await context.send(message)
  await context.calls.settle(message)
}

async function listStrayCalls({ calls }: CheckContext): Promise<readonly RequestRecord[]> {
  return calls.observable ? calls.strays() : []
}

interface RegisteredUrl {
  readonly url: string
  readonly generation: Generation
  readonly type: NotifiedType
}

function listUrls({ receiver }: CheckContext): readonly RegisteredUrl[] {
  return (['webhooks', 'callbacks'] as const).flatMap((generation) =>
    receiver.types(generation).map((type) => ({ type, generation, url: receiver.url(type, generation) })),
  )
}

function uniqueUrls(context: CheckContext): readonly RegisteredUrl[] {
  const places = listUrls(context)
  return places.filter(({ url }, index) => places.findIndex((place) => place.url === url) === index)
}

interface TestPost extends RegisteredUrl {
  readonly label: string
  readonly text?: string
}

/** Sends the POSTs. Stops at the first POST without a response, because each further POST could take the full timeout. */
async function postAll(context: CheckContext, posts: readonly TestPost[]): Promise<readonly Exchange[]> {
  const sent: Exchange[] = []
  for (const { text, type: _, ...post } of posts) {
    const one = await context.post({ ...post, body: testBody(context.profile, text) })
    sent.push(one)
    if (one.status === null) break
  }
  return sent
}

function describeFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not an absolute URL'
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:') return `is ${protocol.slice(0, -1)}, not https`
  if (username !== '' || password !== '') return 'has user information before its host'
  return text.includes('#') ? 'has a fragment' : undefined
}

/** Judges each URL of the receiver. The messages omit the URLs, because the URLs are secret. */
async function checkEachUrl(
  context: CheckContext,
  expected: string,
  findFault: (url: string) => string | undefined,
): Promise<Finding> {
  const places = listUrls(context)
  if (places.length === 0) return NO_URL
  const faults = places.flatMap(({ generation, type, url }) => {
    const fault = findFault(url)
    return fault === undefined ? [] : [`the URL for ${generation} of ${type} ${fault}`]
  })
  const [first] = faults
  if (first === undefined) return PASSED
  const others = `, and ${faults.length - 1} more of ${places.length} URLs have a fault`
  return failed(expected, faults.length === 1 ? first : `${first}${others}`, {})
}
