import { DELIVERY } from '../../../spec/generated/delivery.ts'
import { isSuccess, ladderMs } from '../../../spec/delivery.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { FaultState } from '../state/fault.ts'
import type { Exchange, Message, Outcome, Ports, Transport } from '../core/ports.ts'
import type { AttemptHead, AttemptReason, Entry, ExchangeRecord, OtherExchange } from '../state/entries.ts'
import type { JobRecord } from '../state/indexes.ts'
import type { View } from '../state/view.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import { bodyOf } from './job-body.ts'
import { judge } from './retry-schedule.ts'
import { signed } from './signing.ts'
import { fromDocumentedAddress, type SourceAddresses } from './source-addresses.ts'
import type { Turn } from './turns.ts'
import { faulty } from '../faults/faulty.ts'

/** Marks what the sandbox sends, so that its own listeners can refuse it. Reading: delivery-headers */
export const USER_AGENT = 'Hookbench-Delivery/0.1'

export interface AttemptPorts extends Pick<Ports, 'clock' | 'realTime' | 'transport'> {
  readonly view: View
  readonly readings: ReadingValues
  readonly translator: Translator
  readonly source?: SourceAddresses | undefined
}

/** Makes the next attempt of a job and tells how it went, without recording it. */
export async function attempt(
  job: JobRecord,
  turn: Turn & { readonly dueAt: number },
  ports: AttemptPorts,
): Promise<Entry<AttemptHead>> {
  const { clock, view } = ports
  const number = job.attempts.length + 1
  const url = targetOf(job, ports) ?? job.url
  const frozen = view.jobBody(job)
  const body = bodyOf(job, turn.faults, ports)
  const from = { generation: job.generation, turn: job.ordinal }
  const message = fromDocumentedAddress(signed(post(url, body), job.generation, ports), from, ports)
  const startedAt = clock.now()
  const { exchange, sent } = await sentWith(turn.faults, message, ports)
  const endedAt = clock.now()

  return {
    head: {
      kind: 'attempt',
      at: endedAt,
      job_id: job.id,
      number,
      url,
      due_at: turn.dueAt,
      started_at: startedAt,
      recorded_at: ports.realTime.now(),
      ...answerOf(exchange.outcome),
      next_due_at: nextDueAt(job, { exchange, endedAt, manual: turn.manual }, ports),
      flags: exchange.flags,
      timings: exchange.timings,
      ...(turn.manual && { manual: true as const }),
      ...(turn.faults.length > 0 && { faults: turn.faults.map(({ id, kind }) => ({ id, kind })) }),
    },
    body: JSON.stringify(recordOf(sent, exchange, sent.body === frozen ? null : sent.body)),
  }
}

/** Where the next attempt goes; undefined if there is nobody to send it to any more. Reading: pending-retries */
export function targetOf(
  job: JobRecord,
  { view, readings }: Pick<AttemptPorts, 'view' | 'readings'>,
): string | undefined {
  if (readings['pending-retries'] === 'frozen-url') return job.url
  const registration = view.registration(job.registration_id)
  return registration?.enabled && registration.object_type === job.object_type ? registration.url : undefined
}

/** A POST as the service makes it, to a test URL or to a registered one. Source: §6.1 */
export function post(url: string, body: string): Message {
  return {
    url,
    headers: { 'content-type': DELIVERY.content_type.value, 'user-agent': USER_AGENT },
    body: Buffer.from(body),
  }
}

/** Sends through the faults; `sent` is what came out of them first, whatever they made of it. */
async function sentWith(
  faults: readonly FaultState[],
  message: Message,
  { transport, readings }: AttemptPorts,
) {
  let sent: Message | undefined
  const watched: Transport = {
    post(given, deadlineMs) {
      sent ??= given
      return transport.post(given, deadlineMs)
    },
  }
  const exchange = await faulty(watched, faults).post(message, readings['delivery-deadline'])
  const { headers, body } = sent ?? message
  return { exchange, sent: { headers, body: Buffer.from(body).toString() } }
}

interface Ended {
  readonly exchange: Exchange
  readonly endedAt: number
  readonly manual: boolean
}

/** When the next attempt is due; null if none follows. What is resent by hand leaves the schedule as it is. Source: §8 */
function nextDueAt(job: JobRecord, { exchange, endedAt, manual }: Ended, ports: AttemptPorts): number | null {
  const calledOff = job.next_due_at === null || targetOf(job, ports) === undefined
  const offsetsMs = ladderMs(job.generation, ports.readings)
  const ladder = { offsetsMs, firstEndedAt: job.first_ended_at ?? endedAt }
  const verdict = judge(exchange.outcome, job.scheduled + 1, ladder)
  if (verdict.kind === 'delivered' || calledOff) return null
  if (manual) return job.next_due_at
  return verdict.kind === 'retry' ? verdict.dueAt : null
}

function answerOf(outcome: Outcome): Pick<AttemptHead, 'status' | 'reason' | 'message'> {
  if (outcome.kind === 'unanswered') return { status: null, reason: outcome.reason, message: outcome.message }
  const { status } = outcome
  if (isSuccess(status)) return { status, reason: null, message: `Answered ${status}` }
  const reason: AttemptReason = `http_${status}`
  return { status, reason, message: `Answered ${status}, which is not a success: 200 to 299 is` }
}

function recordOf(
  { headers }: Pick<Message, 'headers'>,
  { outcome, others = [] }: Exchange,
  changedBody: string | null,
): ExchangeRecord {
  return {
    request_headers: Object.entries(headers),
    request_body: changedBody,
    response: responseOf(outcome),
    ...(others.length > 0 && { others: others.map(keptExchange) }),
  }
}

/** An exchange as it is kept where it decides nothing. */
export function keptExchange({ outcome, flags, timings }: Exchange): OtherExchange {
  const { status, message } = answerOf(outcome)
  const reason = outcome.kind === 'unanswered' ? outcome.reason : null
  return { status, reason, message, flags, timings, response: responseOf(outcome) }
}

function responseOf(outcome: Outcome): ExchangeRecord['response'] {
  return outcome.kind === 'answered'
    ? { headers: outcome.headers, body: Buffer.from(outcome.body).toString('base64') }
    : null
}
