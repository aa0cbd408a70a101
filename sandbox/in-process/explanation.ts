import { startSentence } from '../engine/core/command-line.ts'
import { formatWait } from '../../spec/readings.ts'
import type { Context } from '../api/operations/operation.ts'
import type { ReceivedDelivery, ParsedMatch } from './delivery-match.ts'
import { timestamp } from '../engine/core/timestamp.ts'
import type { JobType, JobRecord } from '../engine/state/job.ts'
import { GENERATIONS, type Generation } from '../../spec/delivery.ts'

export interface DeliverySearch {
  readonly inbox: {
    readonly waiting: readonly ReceivedDelivery[]
    readonly consumed: readonly ReceivedDelivery[]
  }
  readonly timeoutMs: number
}

type Situation = Pick<Context, 'view' | 'now'>

/** Explains a missing delivery: lists received and upcoming deliveries, and types without a registration. Source: §7 */
export function explainMissing(
  wanted: ParsedMatch,
  { inbox, timeoutMs }: DeliverySearch,
  situation: Situation,
): string {
  const pending = situation.view.dueJobs().flatMap((ordinal) => situation.view.jobAt(ordinal) ?? [])
  const payments = paymentLines(situation)
  const remedy =
    registrationRemedy(wanted, situation) ??
    advanceRemedy(wanted, pending, situation) ??
    'The other deliveries:'
  return [
    `Cannot find a delivery${matchText(wanted)}: no matching delivery came within ${timeoutMs} ms. ${startSentence(remedy)}`,
    ...section('Deliveries that no test has taken yet', inbox.waiting.map(deliveryLine)),
    ...section('Expected before', inbox.consumed.map(deliveryLine)),
    ...section(
      'Pending jobs',
      pending.map((job) => pendingLine(job, situation)),
    ),
    ...(payments.length > 0 ? section('Payments in progress', payments) : []),
  ].join('\n')
}

export function explainUnexpected(wanted: ParsedMatch, delivery: ReceivedDelivery): string {
  const remedy = 'Take the expected deliveries with expectDelivery()'
  return `Unexpected delivery${matchText(wanted)}. ${remedy}\n  ${deliveryLine(delivery)}`
}

function matchText({ text }: ParsedMatch): string {
  return text === '' ? '' : ` with ${text}`
}

/** The maximum number of lines in a list. A longer list shows only the newest lines. */
const MOST = 10

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [`${title}: none`]
  const earlier = lines.length > MOST ? [`  (${lines.length - MOST} more before)`] : []
  return [`${title}:`, ...earlier, ...lines.slice(-MOST).map((line) => `  ${line}`)]
}

function jobText({ generation, object_type, object_id, state }: JobRecord): string {
  return `${generation} ${object_type} "${object_id}"${state === null ? '' : ` ${state}`}`
}

function deliveryLine({ job, attempt }: ReceivedDelivery): string {
  const { number, status, reason, message, next_due_at } = attempt
  const answer = status === null ? `unanswered (${reason}): ${message}` : `answered ${status}`
  const again = next_due_at === null ? '' : `; attempt ${number + 1} due at ${timestamp(next_due_at)}`
  return `${jobText(job)}, attempt ${number}, ${answer}${again}`
}

function pendingLine(job: JobRecord, { now }: Situation): string {
  const number = job.attempts + 1
  const dueAt = job.next_due_at ?? 0
  const when =
    dueAt <= now() ? 'is in flight' : `is due at ${timestamp(dueAt)}, in ${formatWait(dueAt - now())}`
  const last = job.last === null ? '' : `. The last attempt ended with ${job.last}`
  return `${jobText(job)}, attempt ${number} ${when}${last}`
}

function paymentLines({ view, now }: Situation): string[] {
  return view
    .paymentsBetween(0, view.paymentCount())
    .filter(({ step, steps }) => step < steps)
    .map(({ id, kind, step, steps, next_due_at }) => {
      const what = `${kind} "${id}", step ${step + 1} of ${steps}`
      if (next_due_at === null) return `${what} waits for sandbox.next(payment)`
      return `${what} is due at ${timestamp(next_due_at)}, in ${formatWait(Math.max(0, next_due_at - now()))}`
    })
}

/**
 * Returns the fix for a missing or disabled registration, which is the likely cause of the missing delivery. Undefined if a
 * registration is enabled. Source: §7
 */
function registrationRemedy({ match: { object_type, generation } }: ParsedMatch, { view }: Situation) {
  const generations = generation ? [generation] : GENERATIONS
  const registered = generations.flatMap((each) => view.registrations(each))
  const isRegistered = registered.some(
    (known) => known.enabled && (object_type === undefined || known.object_type === object_type),
  )
  if (isRegistered) return undefined
  const isDisabled = registered.some((known) => known.object_type === object_type)
  const whom = `for ${generation ? `the ${generation} of ` : ''}${object_type ?? 'any type'}`
  if (isDisabled) return `the registration ${whom} is disabled. Enable this registration`
  return `no receiver is registered ${whom}. Call createSandbox({ receivers: { ${receiverText(object_type, generation)} } })`
}

function receiverText(type: JobType = 'items', generation: Generation = 'webhooks'): string {
  return generation === 'callbacks' ? `${type}: { callbacks: … }` : `${type}: …`
}

function advanceRemedy({ concerns }: ParsedMatch, pending: readonly JobRecord[], { now }: Situation) {
  const [next] = pending
    .filter((job) => concerns(job) && (job.next_due_at ?? 0) > now())
    .toSorted((a, b) => (a.next_due_at ?? 0) - (b.next_due_at ?? 0))
  if (!next) return undefined
  const inMs = (next.next_due_at ?? 0) - now()
  return `advance the clock with sandbox.advance('${formatWait(inMs)}'): attempt ${next.attempts + 1} is due then`
}
