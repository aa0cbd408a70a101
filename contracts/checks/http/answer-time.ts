import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { GOLDEN, goldenMessage } from '../../toolkit/golden-message.ts'
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
  isAccepted,
  isReached,
  isTimedOut,
  requireAccepted,
} from '../../toolkit/expectations.ts'

const TIMES = 50
/** A slow receiver has shown enough by then. */
const MOST_MS = 20_000
const MOST_SLOW = 0.05

export const answersInTime: ReceiverCheck = {
  id: 'http/answers-in-time',
  severity: 'should',
  requirement: `The receiver answers each of ${TIMES} deliveries before the deadline, and nearly all of them much earlier.`,
  lines: [347],
  readings: ['delivery-deadline'],
  meaning:
    'The service treats a late answer as a failure, although the receiver has acted. The delivery comes again, and one mistake leads to a second effect.',
  remedy: 'Store the notification, answer, and do the work afterwards.',
  // Deliveries of other checks would slow the receiver.
  alone: true,
  run: checkAnswerTime,
}

/** Fails only if the receiver is slow twice, because the machine may be busy once. */
async function checkAnswerTime(context: CheckContext): Promise<Finding> {
  const first = await sendSeries(context)
  return first.kind === 'failed' ? sendSeries(context) : first
}

async function sendSeries(context: CheckContext): Promise<Finding> {
  const { budgetMs, warnMs } = context.profile
  const types = context.receiver.types()
  const examples = GOLDEN.filter(({ type }) => types.includes(type))
  if (examples.length === 0) return notObservable('the receiver has no URL')
  const slow: Exchange[] = []
  let [count, totalMs] = [0, 0]
  let refused: Finding | undefined
  for (let time = 0; time < TIMES && totalMs < MOST_MS; time++) {
    const example = examples[time % examples.length]
    if (!example) break
    const sent = await context.send(await goldenMessage(context, example))
    const isLate = sent.tookMs >= budgetMs || isTimedOut(sent)
    if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
    if (isLate)
      return failed(
        `an answer in less than ${budgetMs} ms`,
        `${describeExchange(sent)} after ${Math.round(sent.tookMs)} ms`,
        { exchanges: [sent] },
      )
    totalMs += sent.tookMs
    // The time of a rejection has no meaning.
    refused = requireAccepted(sent) ?? refused
    if (!isAccepted(sent)) continue
    count++
    if (sent.tookMs >= warnMs) slow.push(sent)
    if (slow.length > TIMES * MOST_SLOW) return tooSlow(slow, count, warnMs)
  }
  if (count === 0 && refused) return refused
  // Of a partial sample, one in twenty may also be slow.
  if (slow.length > count * MOST_SLOW) return tooSlow(slow, count, warnMs)
  return withUnobserved(
    PASSED,
    count < TIMES ? `only ${count} of ${TIMES} were accepted in ${Math.round(totalMs)} ms` : undefined,
  )
}

function tooSlow(slow: readonly Exchange[], count: number, warnMs: number): Finding {
  return failed(
    `19 of 20 answers in less than ${warnMs} ms`,
    `${slow.length} of ${count} took ${warnMs} ms or more`,
    {
      exchanges: slow,
    },
  )
}
