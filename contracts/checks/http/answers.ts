import { notifiedTypes } from '../../../spec/notifications.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { goldenMessage, goldenMessages, GOLDEN, oneExamplePerType } from '../../toolkit/golden-message.ts'
import { PASSED, failed, withUnobserved, type Exchange, type Finding } from '../../finding.ts'
import {
  describeExchange,
  describeTimed,
  expectAccepted,
  failedExchange,
  isAccepted,
  isReached,
  requireAccepted,
  requireReached,
  sendAll,
  isTimedOut,
} from '../../toolkit/expectations.ts'
import { describeMissingUrls, NO_URL } from '../../toolkit/unobserved.ts'

const TIMES = 50
/** The time limit for all deliveries together, in milliseconds. A slow receiver gets fewer than `TIMES` deliveries in this time. */
const MAX_MS = 20_000
const MAX_SLOW = 0.05

export const answerChecks: readonly ReceiverCheck[] = [
  {
    id: 'http/accepts-golden-bodies',
    severity: 'must',
    requirement: 'The receiver accepts a notification of every kind and state that the service can send.',
    lines: [294, 295, 308, 309, 310, 311, 312, 313, 314, 315, 316],
    readings: ['delivery-success', 'item-states', 'user-states', 'batch-codes'],
    meaning:
      'A rejected notification counts as not delivered. After the last retry, the service never sends the notification again, and your platform never acts on the payment.',
    remedy: 'Answer 2xx to every valid body, including states that you do not act on.',
    takesLong: true,
    async run(context) {
      const examples = GOLDEN.filter(({ type }) => context.receiver.types().includes(type))
      if (examples.length === 0) return NO_URL
      const messages = await goldenMessages(context, examples)
      const refused = expectAccepted(...(await sendAll(context, messages)))
      return withUnobserved(refused, describeMissingUrls(context, notifiedTypes))
    },
  },
  {
    id: 'http/no-redirect',
    severity: 'must',
    requirement: 'The receiver answers at the registered URL itself, without a redirect.',
    lines: [332],
    readings: ['delivery-success'],
    meaning: 'A redirect counts as a failure and is not followed. Every delivery attempt fails.',
    remedy:
      'Register the final URL, with https and with exactly the host and trailing slash that your server expects.',
    async run(context) {
      const { sent } = await sendOnePerType(context)
      const redirect = sent.find(({ status }) => status !== null && status >= 300 && status < 400)
      if (redirect)
        return failedExchange(
          'an answer from 200 to 299 at this URL',
          redirect,
          `${describeExchange(redirect)}${describeLocation(redirect)}`,
        )
      return withUnobserved(requireSomeAccepted(sent), describeMissingUrls(context, notifiedTypes))
    },
  },
  {
    id: 'http/small-answers',
    severity: 'should',
    requirement: "The receiver's answer is smaller than 64 KB and does not repeat the request body.",
    lines: [347],
    readings: ['delivery-success'],
    meaning:
      'The service reads only the status. A long answer can exceed an undocumented time limit of the service. An answer that repeats the request body can put names and accounts into the logs of proxies.',
    remedy: 'Send an empty response body.',
    async run(context) {
      const { messages, sent } = await sendOnePerType(context)
      const findings = sent.map((one, index) => checkAnswer(one, messages[index]))
      return findings.find((finding) => finding !== undefined) ?? requireSomeAccepted(sent)
    },
  },
  {
    id: 'http/content-type-with-charset',
    severity: 'must',
    requirement: 'The receiver accepts JSON with and without a character set in its content type.',
    lines: [294],
    readings: ['delivery-success', 'delivery-headers'],
    meaning:
      "The service's document does not show the headers of a delivery. A receiver that compares the complete content type may reject everything on the first day of production.",
    remedy: 'Compare only the media type "application/json", without parameters and without regard to case.',
    async run(context) {
      const [example] = oneExamplePerType(context.receiver.types())
      if (!example) return NO_URL
      const [plain = '', ...others] = CONTENT_TYPES
      const send = async (type: string) =>
        context.send(await goldenMessage(context, example), {
          headers: { 'content-type': type },
          label: `a body with the content type ${type}`,
        })
      const refused = requireAccepted(await send(plain))
      if (refused) return refused
      return expectAccepted(...(await Array.fromAsync(others, send))) ?? PASSED
    },
  },
  {
    id: 'http/answers-in-time',
    severity: 'should',
    requirement: `The receiver answers each of ${TIMES} deliveries before the deadline, and nearly all of them much earlier.`,
    lines: [347],
    readings: ['delivery-deadline'],
    meaning:
      'The service treats a late answer as a failure, although the receiver has acted. The service then retries, so any gap in the detection of duplicates leads to a second effect.',
    remedy: 'Store the notification, answer, and do the work afterwards.',
    // Deliveries from other checks would slow down the receiver.
    alone: true,
    /** Repeats a failed series of deliveries, because the machine may have been busy during the first series. */
    async run(context) {
      const first = await sendSeries(context)
      return first.kind === 'failed' ? sendSeries(context) : first
    },
  },
]

async function sendOnePerType(context: CheckContext) {
  const messages = await goldenMessages(context, oneExamplePerType(context.receiver.types()))
  return { messages, sent: await sendAll(context, messages) }
}

function requireSomeAccepted(sent: readonly Exchange[]): Finding {
  if (sent.length === 0) return NO_URL
  const accepted = sent.filter((one) => isAccepted(one) || !isReached(one))
  const refused = sent.filter((one) => !isAccepted(one)).map(describeExchange)
  return withUnobserved(
    requireAccepted(...(accepted.length > 0 ? accepted : sent)),
    refused.length === 0 ? undefined : `notifications that the receiver rejected: ${refused.join('; ')}`,
  )
}

function describeLocation({ response }: Exchange): string {
  const [, place] = response?.headers.find(([name]) => name.toLowerCase() === 'location') ?? []
  return place === undefined ? '' : `, to ${place}`
}

/** The maximum length of a response. The service ignores the response body, so Hookbench chose this limit. */
const MAX_BYTES = 65_536

function checkAnswer(exchange: Exchange, message: Message | undefined): Finding | undefined {
  const { label, response, flags } = exchange
  const text = response?.body ?? ''
  const isLong = text.length >= MAX_BYTES || flags.includes('response_truncated')
  if (!isLong && !(message && text.includes(pickMark(message.body)))) return undefined
  const actual = isLong ? `with ${text.length} characters or more` : 'with a part of the request body'
  const expected = 'a short answer that repeats no part of the request body'
  return failedExchange(expected, exchange, `${label} was answered ${actual}`)
}

/** Returns an excerpt of the notification body. A response contains this excerpt only if the receiver repeats the body. */
function pickMark(body: string): string {
  return body.slice(20, Math.min(120, body.length - 1))
}

const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
]

async function sendSeries(context: CheckContext): Promise<Finding> {
  const { budgetMs, warnMs } = context.profile
  const types = context.receiver.types()
  const examples = GOLDEN.filter(({ type }) => types.includes(type))
  const slow: Exchange[] = []
  let [count, totalMs] = [0, 0]
  let refused: Finding | undefined
  for (let time = 0; time < TIMES && totalMs < MAX_MS; time++) {
    const example = examples[time % examples.length]
    if (!example) return NO_URL
    const sent = await context.send(await goldenMessage(context, example))
    const lost = requireReached(sent)
    if (lost) return lost
    if (sent.tookMs >= budgetMs || isTimedOut(sent)) {
      return failedExchange(`an answer in less than ${budgetMs} ms`, sent, describeTimed(sent))
    }
    totalMs += sent.tookMs
    // A receiver can reject quickly without any work, so the response time of a rejection does not count.
    refused = requireAccepted(sent) ?? refused
    if (!isAccepted(sent)) continue
    count++
    if (sent.tookMs >= warnMs) slow.push(sent)
    if (slow.length > TIMES * MAX_SLOW) return tooSlow(slow, count, warnMs)
  }
  if (count === 0 && refused) return refused
  // `MAX_SLOW` also applies if the receiver accepted only some of the deliveries.
  if (slow.length > count * MAX_SLOW) return tooSlow(slow, count, warnMs)
  const part = `only ${count} of ${TIMES} deliveries were accepted in ${Math.round(totalMs)} ms`
  return withUnobserved(PASSED, count < TIMES ? part : undefined)
}

function tooSlow(exchanges: readonly Exchange[], count: number, warnMs: number): Finding {
  const actual = `${exchanges.length} of ${count} answers took ${warnMs} ms or more`
  return failed(`19 of 20 answers in less than ${warnMs} ms`, actual, { exchanges })
}
