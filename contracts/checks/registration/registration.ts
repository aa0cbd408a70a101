import type { Generation } from '../../../spec/delivery.ts'
import { testMessage, type NotifiedType } from '../../../spec/notifications.ts'
import type { Bench, PostRequest } from '../../toolkit/bench.ts'
import type { Check } from '../../check.ts'
import { dueEffect } from '../../toolkit/due.ts'
import { goldenNotice, oneOfEach } from '../../toolkit/golden.ts'
import { failed, notObservable, PASSED, unreachable, type Finding } from '../../finding.ts'
import { acceptedAll, acceptedFirst, effectsOf, isReached, told } from '../../toolkit/judge.ts'
import type { Sent } from '../../toolkit/sent.ts'
import { butUnseen, typesAmong } from '../../toolkit/unseen.ts'
import { unguessableUrl, urlForm } from './url.ts'

const acceptsTestPost: Check = {
  id: 'registration/accepts-test-post',
  severity: 'must',
  requirement: 'The receiver answers the test POST to each of its URLs with success.',
  lines: [14, 330],
  readings: ['delivery-success', 'test-text'],
  meaning:
    'The URL cannot be registered: no notification will ever arrive, and payments that succeed are never acted on.',
  remedy: 'Answer 2xx to a body {"message": "…"}, whatever the text, before anything else is looked at.',
  async run(bench) {
    const places = placesOf(bench)
    if (places.length === 0) return notObservable('the receiver has no URL')
    const body = testBody(bench.profile.readings['test-text'])
    const posts = places.map(({ url, generation, type }) => ({
      url,
      generation,
      body,
      label: `the test POST for ${generation} of ${type}`,
    }))
    return acceptedAll(...(await postAll(bench, posts))) ?? PASSED
  },
}

/** What the text may be: the document only says that it is fixed and names the service. Source: §1 */
const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['other words', 'Testing the notification endpoint of this platform'],
  ['one letter', 'x'],
  ['text beyond ASCII', 'Überprüfung · 支払いサービス · اختبار · ✓ 🏦'],
  ['10 000 characters', 'A test of the payments service. '.repeat(320).slice(0, 10_000)],
]

const anyTestText: Check = {
  id: 'registration/any-test-text',
  severity: 'should',
  requirement: 'The receiver answers a test POST with success whatever its text is.',
  lines: [14],
  readings: ['delivery-success', 'test-text'],
  meaning:
    'The wording is fixed but not shown in the document: a receiver that waits for its own guess of it cannot be registered in production.',
  remedy: 'Recognise the test POST by its shape, one field "message" with a string, and never by its text.',
  async run(bench) {
    const [place] = placesOf(bench)
    if (!place) return notObservable('the receiver has no URL')
    const posts = TEXTS.map(([name, text]) => ({
      ...place,
      body: testBody(text),
      label: `the test POST with ${name}`,
    }))
    const refused = acceptedAll(...(await postAll(bench, posts)))
    if (refused?.kind !== 'failed') return refused ?? PASSED
    const body = testBody(bench.profile.readings['test-text'])
    const usual = await bench.post({ ...place, body, label: 'the test POST with the usual text' })
    return acceptedFirst(usual) ?? refused
  },
}

const testPostWithoutEffect: Check = {
  id: 'registration/test-post-without-effect',
  severity: 'should',
  requirement:
    'The receiver does nothing upon a test POST: it acts on no payment and asks the service for nothing.',
  lines: [14],
  readings: ['test-text'],
  uses: ['calls', 'effects'],
  meaning:
    'A registration, and every change of its URL, sets business processes off: orders are looked up or released that nobody has paid for.',
  remedy: 'Answer the test POST at once, before anything is looked up, stored or queued.',
  negative: true,
  alone: true,
  run: testPostQuietly,
}

/** How often it is posted: a call that somebody else caused does not come again with each. */
const TIMES = 2

async function testPostQuietly(bench: Bench): Promise<Finding> {
  const { calls, effects, profile } = bench
  const [place] = placesOf(bench)
  if (!place) return notObservable('the receiver has no URL')
  if (!calls.observable && !effects.observable)
    return notObservable('neither its calls to the service nor its effects are observable')
  const due = await dueEffect(bench)
  const growth: string[][] = []
  for (let time = 0; time < TIMES; time++) {
    const before = calls.observable ? await strayPaths(bench) : []
    const label = 'the test POST'
    const sent = await bench.post({ ...place, body: testBody(profile.readings['test-text']), label })
    if (!isReached(sent)) return unreachable(told(sent))
    const acted =
      due && (await effectsOf(bench, due.target, { effects: 0, because: 'only a test POST came' }))
    if (acted) return acted
    await passTime(bench)
    if (calls.observable) growth.push((await strayPaths(bench)).slice(before.length))
  }
  const [first] = growth.at(-1) ?? []
  if (first !== undefined && growth.every((paths) => paths.length > 0))
    return failed(
      'no call to the service upon a test POST',
      `each test POST was followed by a call: ${first}`,
    )
  return butUnseen(
    PASSED,
    calls.observable ? undefined : 'its calls to the service',
    effects.observable && due ? undefined : 'its effects',
  )
}

/** What a receiver works off later has been worked off once it asks about what came after it. */
async function passTime(bench: Bench): Promise<void> {
  // Objects that name nobody else, whom it might ask for too.
  const [example] = oneOfEach(typesAmong(bench, ['accounts', 'companies']))
  if (!bench.calls.observable || !example) return
  const notice = await goldenNotice(bench, example)
  await bench.send(notice)
  await bench.calls.settle(notice)
}

async function strayPaths({ calls }: Bench): Promise<string[]> {
  return (await calls.strays()).map(({ method, path }) => `${method} ${path}`)
}

export const registrationChecks: readonly Check[] = [
  acceptsTestPost,
  anyTestText,
  testPostWithoutEffect,
  urlForm,
  unguessableUrl,
]

function testBody(text: string): string {
  return JSON.stringify(testMessage(text))
}

interface Place {
  readonly url: string
  readonly generation: Generation
  readonly type: NotifiedType
}

/** Each URL once, with the first type that it is for. */
function placesOf({ receiver }: Pick<Bench, 'receiver'>): readonly Place[] {
  const places = (['webhooks', 'callbacks'] as const).flatMap((generation) =>
    receiver.types(generation).map((type) => ({ type, generation, url: receiver.url(type, generation) })),
  )
  return places.filter(({ url }, index) => places.findIndex((place) => place.url === url) === index)
}

/** Posts each in turn, up to the first that is not answered at all: each further one might take its whole deadline. */
async function postAll(bench: Bench, requests: readonly PostRequest[]): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  for (const request of requests) {
    const one = await bench.post(request)
    sent.push(one)
    if (one.status === null) break
  }
  return sent
}
