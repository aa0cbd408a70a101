import { DELIVERY } from '../../spec/generated/delivery.ts'
import { ladderMs } from '../../spec/delivery.ts'
import type { ReadingValues } from '../../spec/readings.ts'
import type { Translator } from '../vocabulary.ts'
import { notificationBody } from '../notifications/body.ts'
import { bankAccountOf } from '../objects/bank-accounts.ts'
import type { Exchange, Message, Outcome, Ports } from '../ports.ts'
import type { AttemptHead, AttemptReason, Entry, ExchangeRecord } from '../state/entries.ts'
import type { JobRecord } from '../state/indexes.ts'
import type { View } from '../state/store.ts'
import { judge, type Verdict } from './retry-schedule.ts'
import { signed } from './signing.ts'
import { fromDocumentedAddress, type SourceAddresses } from './source-addresses.ts'

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
  dueAt: number,
  ports: AttemptPorts,
): Promise<Entry<AttemptHead>> {
  const { clock, transport, view, readings } = ports
  const number = job.attempts.length + 1
  const url = targetOf(job, ports) ?? job.url
  const frozen = view.jobBody(job)
  const body = number > 1 && readings['retry-body'] === 'current' ? currentBody(job, ports) : frozen
  const from = { generation: job.generation, turn: job.ordinal }
  const message = fromDocumentedAddress(signed(post(url, body), job.generation, ports), from, ports)
  const startedAt = clock.now()
  const exchange = await transport.post(message, readings['delivery-deadline'])
  const endedAt = clock.now()

  const offsetsMs = ladderMs(job.generation, readings)
  const verdict = judge(exchange.outcome, number, { offsetsMs, firstEndedAt: job.first_ended_at ?? endedAt })
  const calledOff = job.next_due_at === null || targetOf(job, ports) === undefined
  return {
    head: {
      kind: 'attempt',
      at: endedAt,
      job_id: job.id,
      number,
      url,
      due_at: dueAt,
      started_at: startedAt,
      recorded_at: ports.realTime.now(),
      ...answerOf(exchange.outcome, verdict),
      next_due_at: verdict.kind === 'retry' && !calledOff ? verdict.dueAt : null,
      flags: exchange.flags,
      timings: exchange.timings,
    },
    body: JSON.stringify(recordOf(message, exchange, body === frozen ? null : body)),
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

function currentBody(
  { object_type, object_id, ...job }: JobRecord,
  { view, translator }: Pick<AttemptPorts, 'view' | 'translator'>,
): string {
  if (object_type === 'bank_accounts') {
    const account = view.object('accounts', object_id)?.body
    const shown = account && { bank_accounts: bankAccountOf(account, view.ownerOf(object_id)) }
    if (shown) return JSON.stringify(translator.outward(shown))
  } else {
    const object = view.object(object_type, object_id)
    if (object) return notificationBody(object_type, object.body, translator)
  }
  throw new RangeError(`Cannot send job "${job.id}": ${object_type} "${object_id}" is gone`)
}

function answerOf(outcome: Outcome, verdict: Verdict): Pick<AttemptHead, 'status' | 'reason' | 'message'> {
  if (outcome.kind === 'unanswered') return { status: null, reason: outcome.reason, message: outcome.message }
  const { status } = outcome
  if (verdict.kind === 'delivered') return { status, reason: null, message: `Answered ${status}` }
  const reason: AttemptReason = `http_${status}`
  return { status, reason, message: `Answered ${status}, which is not a success: 200 to 299 is` }
}

function recordOf({ headers }: Message, { outcome }: Exchange, changedBody: string | null): ExchangeRecord {
  return {
    request_headers: Object.entries(headers),
    request_body: changedBody,
    response:
      outcome.kind === 'answered'
        ? { headers: outcome.headers, body: Buffer.from(outcome.body).toString('base64') }
        : null,
  }
}
