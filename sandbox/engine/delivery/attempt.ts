import { isSuccess, retryOffsetsMs } from '../../../spec/delivery.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import type { Exchange, HttpMessage, Outcome, Ports, Transport } from '../core/ports.ts'
import { faultyBody, wrapTransport } from '../faults/delivery-faults.ts'
import type { AttemptStartHead, Entry, ExchangeRecord } from '../state/entries.ts'
import type { JobRecord } from '../state/job.ts'
import { readIfWhole } from '../state/storage-error.ts'
import type { View } from '../state/view.ts'
import { corruptAttempt, type EndedAttempt } from './attempt-records.ts'
import { bodyAt } from './body-at.ts'
import { toExchangeRecord, toSentRequest, toResult } from './exchange-record.ts'
import { serviceMessage, type SourceAddresses } from './message.ts'
import type { QueuedDelivery } from './queued-delivery.ts'

export interface AttemptPorts extends Pick<Ports, 'clock' | 'realTime' | 'transport'> {
  readonly view: View
  readonly readings: () => ReadingValues
  readonly translator: Translator
  readonly source?: SourceAddresses | undefined
}

export interface Plan extends Pick<QueuedDelivery, 'faults' | 'manual'> {
  readonly url: string
  readonly dueAt: number
  /** Records the start of the attempt. Returns true if the attempt may be sent. The promise never rejects. */
  readonly begin: (entry: Entry<AttemptStartHead>) => Promise<boolean>
}

/** Makes a delivery attempt for a job. Returns undefined if the sandbox is stopped during the attempt. */
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
  const bodies = readIfWhole(() => readBodies(job, faults, ports))
  if (!bodies) return corruptAttempt(job, about)
  const message = serviceMessage({ url, body: bodies.sent, generation, turn }, ports)
  const toRequest = (first: HttpMessage) => {
    const isJobBody = bodies.sent === bodies.job && first.body === message.body
    return toSentRequest(first, isJobBody ? null : bodies.job)
  }
  const { exchange, request } = await send(message, faults, {
    transport: ports.transport,
    readings: ports.readings,
    toRequest,
    begin(first, body) {
      const source = first.sourceAddress === undefined ? {} : { source_address: first.sourceAddress }
      return begin({ head: { kind: 'attempt-start', at: clock.now(), ...about, ...source }, body })
    },
  })
  const { outcome, flags, timings } = exchange
  // The sandbox is stopping. After its next start, the sandbox finds the recorded start and ends the attempt as interrupted.
  if (outcome.kind === 'unanswered' && outcome.reason === 'interrupted') return undefined
  return {
    job,
    endedAt: clock.now(),
    head: { kind: 'attempt', ...about, ...toResult(outcome), flags, timings },
    body: JSON.stringify(toExchangeRecord(request, exchange)),
    nextDueAt: (endedAt) => nextDueAt(job, { outcome, endedAt, manual }, ports.readings()),
    ...(outcome.kind === 'unanswered' && { cause: outcome.cause }),
  }
}

/**
 * Returns the URL for the next attempt. Undefined if the registration is now disabled, deleted or of another object type.
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

interface SendPorts extends Pick<AttemptPorts, 'transport' | 'readings'> {
  readonly toRequest: (first: HttpMessage) => ExchangeRecord
  readonly begin: (first: HttpMessage, body: string) => Promise<boolean>
}

/** Records the start, then sends the message through the faults. `request` is the first message that the faults pass on. */
async function send(
  message: HttpMessage,
  faults: QueuedDelivery['faults'],
  { transport, readings, toRequest, begin }: SendPorts,
): Promise<{ readonly exchange: Exchange; readonly request: ExchangeRecord }> {
  let request: ExchangeRecord | undefined
  let begun: Promise<boolean> | undefined

  function beginWith(first: HttpMessage): Promise<boolean> {
    request = toRequest(first)
    return begin(first, JSON.stringify(request))
  }

  const recorded: Transport = {
    async post(each, deadlineMs) {
      begun ??= beginWith(each)
      return (await begun) ? transport.post(each, deadlineMs) : NOT_BEGUN
    },
  }
  const exchange = await wrapTransport(recorded, faults).post(message, readings()['delivery-deadline'])
  // If the start is not recorded, no message was sent, even if a fault returned an exchange.
  const isUnrecorded = begun !== undefined && !(await begun)
  return { exchange: isUnrecorded ? NOT_BEGUN : exchange, request: request ?? toRequest(message) }
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

/** Returns the next attempt's due time, or null. An overdue retry is due immediately. Source: §8. Reading: retry-origin */
function nextDueAt(
  job: Pick<JobRecord, 'generation' | 'scheduled' | 'first_ended_at' | 'next_due_at'>,
  { outcome, endedAt, manual }: Ending,
  readings: ReadingValues,
): number | null {
  if (outcome.kind === 'answered' && isSuccess(outcome.status)) return null
  if (manual || job.next_due_at === null) return job.next_due_at
  const offsetMs = retryOffsetsMs(job.generation, readings)[job.scheduled]
  return offsetMs === undefined ? null : (job.first_ended_at ?? endedAt) + offsetMs
}

/** Returns the stored body and the sent body, which can differ. Throws StorageError `damaged`. Reading: retry-body */
function readBodies(job: JobRecord, faults: QueuedDelivery['faults'], ports: AttemptPorts) {
  const body = ports.view.jobBody(job)
  const faulty = faultyBody(faults, job, (revision) => bodyAt(job, revision, ports))
  const isCurrent = job.first_ended_at !== null && ports.readings()['retry-body'] === 'current'
  return { job: body, sent: faulty ?? (isCurrent ? bodyAt(job, Number.POSITIVE_INFINITY, ports) : body) }
}
