import type { Generation } from '../../../spec/delivery.ts'
import type { RequestRecord } from '../../../spec/generated/control-types.ts'
import { testMessage, type NotifiedType } from '../../../spec/notifications.ts'
import type { CheckContext, PostRequest, ReceiverCheck } from '../../toolkit/check-context.ts'
import { goldenMessage, oneExamplePerType } from '../../toolkit/golden-message.ts'
import {
  PASSED,
  failed,
  notObservable,
  unreachable,
  withUnobserved,
  type Exchange,
  type Finding,
} from '../../finding.ts'
import {
  describeExchange,
  expectAccepted,
  expectEffects,
  isReached,
  requireAccepted,
} from '../../toolkit/expectations.ts'
import { expectedEffect } from '../../toolkit/expected-effect.ts'
import { typesWithUrl } from '../../toolkit/unobserved.ts'

export const acceptsTestPost: ReceiverCheck = {
  id: 'registration/accepts-test-post',
  severity: 'must',
  requirement: 'The receiver accepts the test POST at each of its URLs.',
  lines: [14, 330],
  readings: ['delivery-success', 'test-text'],
  meaning:
    'The URL cannot be registered. No notification ever arrives, and your platform never acts on a successful payment.',
  remedy: 'Answer 2xx to a body {"message":"…"} with any text, before you read anything else.',
  async run(context) {
    const places = listUrls(context)
    if (places.length === 0) return notObservable('the receiver has no URL')
    const body = testBody(context.profile.readings['test-text'])
    const posts = places.map(({ url, generation, type }) => ({
      url,
      generation,
      body,
      label: `the test POST for ${generation} of ${type}`,
    }))
    return expectAccepted(...(await postAll(context, posts))) ?? PASSED
  },
}

/** Possible texts. The document only says that the text is fixed and names the service. Source: §1 */
const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['other words', 'Testing the notification endpoint of this platform'],
  ['one letter', 'x'],
  ['text beyond ASCII', 'Überprüfung · 支払いサービス · اختبار · ✓ 🏦'],
  ['10 000 characters', 'A test of the payments service. '.repeat(320).slice(0, 10_000)],
]

export const anyTestText: ReceiverCheck = {
  id: 'registration/any-test-text',
  severity: 'should',
  requirement: 'The receiver accepts a test POST with any text.',
  lines: [14],
  readings: ['delivery-success', 'test-text'],
  meaning:
    'The document does not show the exact text. A receiver that expects one text cannot be registered in production.',
  remedy: 'Recognise the test POST by its form, one field "message" with a string. Ignore its text.',
  async run(context) {
    const [place] = listUrls(context)
    if (!place) return notObservable('the receiver has no URL')
    const posts = TEXTS.map(([name, text]) => ({
      ...place,
      body: testBody(text),
      label: `the test POST with ${name}`,
    }))
    const refused = expectAccepted(...(await postAll(context, posts)))
    if (refused?.kind !== 'failed') return refused ?? PASSED
    const body = testBody(context.profile.readings['test-text'])
    const usual = await context.post({ ...place, body, label: 'the test POST with the usual text' })
    return requireAccepted(usual) ?? refused
  },
}

export const testPostWithoutEffect: ReceiverCheck = {
  id: 'registration/test-post-without-effect',
  severity: 'should',
  requirement:
    'The receiver does nothing after a test POST. It acts on no payment and does not call the service.',
  lines: [14],
  readings: ['test-text'],
  uses: ['calls', 'effects'],
  meaning:
    'Each registration, and each change of its URL, starts business processes. Unpaid orders are looked up or released.',
  remedy: 'Answer the test POST at once, before you look up, store or queue anything.',
  negative: true,
  alone: true,
  run: checkQuiet,
}

/** The number of test POSTs. A call of another origin does not repeat with each. */
const TIMES = 2

async function checkQuiet(context: CheckContext): Promise<Finding> {
  const { calls, effects, profile } = context
  const [place] = listUrls(context)
  if (!place) return notObservable('the receiver has no URL')
  if (!calls.observable && !effects.observable)
    return notObservable('neither its calls to the service nor its effects are observable')
  const due = await expectedEffect(context)
  const after: RequestRecord[][] = []
  const exchanges: Exchange[] = []
  for (let time = 0; time < TIMES; time++) {
    const last = (await listStrayCalls(context)).at(-1)?.id ?? 0
    const label = 'the test POST'
    const sent = await context.post({ ...place, body: testBody(profile.readings['test-text']), label })
    exchanges.push(sent)
    if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
    const expected = { effects: 0, because: 'only a test POST came', isLast: true } as const
    const acted = due && (await expectEffects(context, due.target, expected))
    if (acted) return acted
    await waitForLaterCall(context)
    after.push((await listStrayCalls(context)).filter(({ id }) => id > last))
  }
  const [first] = after.at(-1) ?? []
  if (first !== undefined && after.every((fresh) => fresh.length > 0))
    return failed(
      'no call to the service after a test POST',
      `each test POST was followed by a call: ${first.method} ${first.path}`,
      { exchanges, calls: [first] },
    )
  return withUnobserved(
    PASSED,
    calls.observable ? undefined : 'its calls to the service',
    effects.observable && due ? undefined : 'its effects',
  )
}

/** A call about a later notification shows that the receiver has finished the earlier ones. */
async function waitForLaterCall(context: CheckContext): Promise<void> {
  // Objects without references, so that the receiver asks about nothing else.
  const [example] = oneExamplePerType(typesWithUrl(context, ['accounts', 'companies']))
  if (!context.calls.observable || !example) return
  const message = await goldenMessage(context, example)
  await context.send(message)
  await context.calls.settle(message)
}

async function listStrayCalls({ calls }: CheckContext): Promise<readonly RequestRecord[]> {
  return calls.observable ? calls.strays() : []
}

function testBody(text: string): string {
  return JSON.stringify(testMessage(text))
}

interface RegisteredUrl {
  readonly url: string
  readonly generation: Generation
  readonly type: NotifiedType
}

/** Returns each URL once, with its first type. */
function listUrls({ receiver }: Pick<CheckContext, 'receiver'>): readonly RegisteredUrl[] {
  const places = (['webhooks', 'callbacks'] as const).flatMap((generation) =>
    receiver.types(generation).map((type) => ({ type, generation, url: receiver.url(type, generation) })),
  )
  return places.filter(({ url }, index) => places.findIndex((place) => place.url === url) === index)
}

/** Posts in turn until one gets no answer, because each further POST might wait for its whole deadline. */
async function postAll(
  context: CheckContext,
  requests: readonly PostRequest[],
): Promise<readonly Exchange[]> {
  const sent: Exchange[] = []
  for (const request of requests) {
    const one = await context.post(request)
    sent.push(one)
    if (one.status === null) break
  }
  return sent
}
