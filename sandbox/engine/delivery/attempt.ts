import { retryOffsetsMs } from '../../../spec/delivery.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import type { Exchange, Message, Outcome, Ports, Transport } from '../core/ports.ts'
import { faultyBody, wrapTransport } from '../faults/delivery-faults.ts'
import type { AttemptStartHead, Entry } from '../state/entries.ts'
import type { ExchangeRecord } from '../state/exchange.ts'
import type { View } from '../state/view.ts'
import { readIfWhole } from '../state/storage-error.ts'
import { bodyAt } from './body-at.ts'
import type { Delivery } from './delivery.ts'
import { corruptAttempt, type AttemptAbout, type EndedAttempt } from './ended-attempt.ts'
import { toExchangeRecord, toRequestRecord, toResult } from './exchange-record.ts'
import { serviceMessage } from './message.ts'
import { judge } from './retry-schedule.ts'
import type { SourceAddresses } from './source-addresses.ts'
import type { JobRecord } from '../state/job.ts'

export interface AttemptPorts extends Pick<Ports, 'clock' | 'realTime' | 'transport'> {
  readonly view: View
  readonly readings: () => ReadingValues
  readonly translator: Translator
  readonly source?: SourceAddresses | undefined
}

/** What is attempted for a job. */
export interface Plan extends Pick<Delivery, 'faults' | 'manual'> {
  readonly url: string
  readonly dueAt: number
  /** Puts on record that the attempt begins; true if it may be sent. Never rejects. */
  readonly begin: (entry: Entry<AttemptStartHead>) => Promise<boolean>
}

/** Makes an attempt of the job; undefined if it was cut off. */
export async function makeAttempt(
  job: JobRecord,
  { url, dueAt, faults, manual, begin }: Plan,
  ports: AttemptPorts,
): Promise<EndedAttempt | undefined> {
  const { clock } = ports
  const { generation, turn } = job
  const about = {
    job_id: job.id,
    number: job.attempts + 1,
    url,
    due_at: dueAt,
    started_at: clock.now(),
    ...(manual && { manual: true as const }),
    ...(faults.length > 0 && { faults: faults.map(({ id, kind }) => ({ id, kind })) }),
  }
  const content = readIfWhole(() => readContent(job, faults, ports))
  if (!content) return corruptAttempt(job, about)
  const { jobBody, body } = content
  const message = serviceMessage({ url, body, generation, turn }, ports)
  const { exchange, request } = await send(
    message,
    { about, faults, begin, jobBody, isJobBody: body === jobBody },
    ports,
  )
  // Cut off because the sandbox stops: its start is on record, and tells of it after the next start.
  if (exchange.outcome.kind === 'unanswered' && exchange.outcome.reason === 'interrupted') return undefined
  const { outcome, flags, timings } = exchange
  return {
    job,
    endedAt: clock.now(),
    head: { kind: 'attempt', ...about, ...toResult(outcome), flags, timings },
    body: JSON.stringify(toExchangeRecord(request, exchange)),
    nextDueAt: (endedAt) => nextDueAt(job, { outcome, endedAt, manual }, ports),
    ...(outcome.kind === 'unanswered' && { cause: outcome.cause }),
  }
}

/**
 * Where an attempt goes that is made now; undefined if its registration is disabled, gone or for another type at the moment.
 * Reading: pending-retries
 */
export function targetUrl(
  job: JobRecord,
  { view, readings }: Pick<AttemptPorts, 'view' | 'readings'>,
): string | undefined {
  if (readings()['pending-retries'] === 'frozen-url') return job.url
  const registration = view.registration(job.registration_id)
  return registration?.enabled && registration.object_type === job.object_type ? registration.url : undefined
}

interface Sending extends Pick<Plan, 'faults' | 'begin'> {
  readonly about: AttemptAbout
  readonly jobBody: string
  /** Whether the message has it, as it comes. */
  readonly isJobBody: boolean
}

/** Sends through the faults, once it is on record that it begins; `request` is the first that came out of them. */
async function send(
  message: Message,
  { about, faults, begin, jobBody, isJobBody }: Sending,
  { clock, transport, readings }: AttemptPorts,
): Promise<{ readonly exchange: Exchange; readonly request: ExchangeRecord }> {
  let request: ExchangeRecord | undefined
  let begun: Promise<boolean> | undefined

  const recordRequest = (first: Message) =>
    toRequestRecord(first, isJobBody && first.body === message.body ? null : jobBody)

  function beginWith(first: Message): Promise<boolean> {
    request = recordRequest(first)
    const source = first.sourceAddress === undefined ? {} : { source_address: first.sourceAddress }
    const head = { kind: 'attempt-start', at: clock.now(), ...about, ...source } as const
    return begin({ head, body: JSON.stringify(request) })
  }

  const recorded: Transport = {
    async post(each, deadlineMs) {
      begun ??= beginWith(each)
      return (await begun) ? transport.post(each, deadlineMs) : NOT_BEGUN
    },
  }
  const exchange = await wrapTransport(recorded, faults).post(message, readings()['delivery-deadline'])
  // Whatever the faults have made of it: nothing was sent.
  const isUnrecorded = begun !== undefined && !(await begun)
  return {
    exchange: isUnrecorded ? NOT_BEGUN : exchange,
    request: request ?? recordRequest(message),
  }
}

const NOT_BEGUN: Exchange = {
  outcome: {
    kind: 'unanswered',
    reason: 'out_of_resources',
    message: 'Not sent: the start of the attempt could not be recorded',
  },
  timings: { connectedMs: null, answeredMs: null, totalMs: 0 },
  flags: [],
}

interface Ending {
  readonly outcome: Outcome
  readonly endedAt: number
  readonly manual: boolean
}

/** When the next attempt is due; null if none follows. What is resent by hand leaves the schedule as it is. Source: §8 */
function nextDueAt(job: JobRecord, { outcome, endedAt, manual }: Ending, ports: AttemptPorts): number | null {
  const offsetsMs = retryOffsetsMs(job.generation, ports.readings())
  const schedule = { offsetsMs, firstEndedAt: job.first_ended_at ?? endedAt }
  const verdict = judge(outcome, job.scheduled + 1, schedule)
  if (verdict.kind === 'delivered') return null
  if (manual || job.next_due_at === null) return job.next_due_at
  return verdict.kind === 'retry' ? verdict.dueAt : null
}

/** Throws StorageError `damaged` if the store does not have it as it was written. */
function readContent(job: JobRecord, faults: Sending['faults'], ports: AttemptPorts) {
  const jobBody = ports.view.jobBody(job)
  return { jobBody, body: attemptBody(job, { jobBody, faults }, ports) }
}

/** What an attempt sends: the bytes of the trigger, unless a reading or a fault says otherwise. Reading: retry-body */
function attemptBody(
  job: JobRecord,
  { jobBody, faults }: Pick<Sending, 'jobBody' | 'faults'>,
  ports: AttemptPorts,
): string {
  const faulty = faultyBody(faults, job, (revision) => bodyAt(job, revision, ports))
  if (faulty !== undefined) return faulty
  const isRetry = job.first_ended_at !== null
  return isRetry && ports.readings()['retry-body'] === 'current'
    ? bodyAt(job, Number.POSITIVE_INFINITY, ports)
    : jobBody
}
