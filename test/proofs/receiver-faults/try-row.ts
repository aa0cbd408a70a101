import { createUndiciTransport } from '../../../sandbox/adapters/transport/undici-transport.ts'
import type { Exchange, Transport } from '../../../sandbox/engine/core/ports.ts'
import { createEgress, type Egress } from '../../../sandbox/engine/delivery/egress.ts'
import { newObject } from '../../../sandbox/engine/objects/objects.ts'
import { timestamp } from '../../../sandbox/engine/core/timestamp.ts'
import { START, testSandbox, type TestSandbox } from '../../support/test-sandbox.ts'
import type { FaultRow, FaultyReceiver } from './row.ts'
import { createStage, type Stage } from './stage.ts'

export const WAYS = ['registration', 'delivery'] as const

export type Way = (typeof WAYS)[number]

/** The allowed delay after a deadline, in milliseconds. Source: the list of faults. */
const LATE_MS = 250
const SERVICE_DEADLINE_MS = 10_000
const FIRST_RETRY_MS = 5 * 60_000

/** Tests a fault once, with the delivery deadline of the service. Returns the differences from the correct outcome. */
export async function tryRow(row: FaultRow, way: Way): Promise<readonly string[]> {
  const stage = createStage()
  try {
    const receiver = await row.open(stage)
    const bench = openBench(row, { stage, receiver })
    try {
      if (row.afterSuccess) await registerBefore(bench)
      const problems =
        way === 'registration' ? await tryRegistration(row, bench) : await tryDelivery(row, bench)
      return [...problems, ...(await tryEnd(row, bench))]
    } finally {
      await bench.close()
    }
  } finally {
    stage.close()
  }
}

interface Bench {
  readonly stage: Stage
  readonly receiver: FaultyReceiver
  readonly sandbox: TestSandbox
  readonly egress: Egress
  readonly exchanges: readonly Exchange[]
  readonly lateCount: () => number
  readonly close: () => Promise<void>
}

type Setting = Pick<Bench, 'stage' | 'receiver'>

function openBench({ bodyBytes = 0 }: FaultRow, { stage, receiver }: Setting): Bench {
  const { lookup, ca = stage.authority.pem, allowTargets = [], ownPorts = [] } = receiver
  const egress = createEgress({ allowTargets, ownPorts: () => ownPorts })
  const transport = createUndiciTransport({ trustedCas: () => [ca], egress, ...(lookup && { lookup }) })
  const exchanges: Exchange[] = []
  const late = { count: 0 }
  const sendThrough: Transport = {
    async post(message, limitMs) {
      const stopWatching = watch(limitMs + LATE_MS, () => (late.count += 1))
      const exchange = await transport.post(message, limitMs)
      stopWatching()
      exchanges.push(exchange)
      return exchange
    },
  }
  const readings = {
    'delivery-deadline': `${SERVICE_DEADLINE_MS}ms`,
    ...(bodyBytes > 0 && { 'test-text': 'x'.repeat(bodyBytes) }),
  }
  const sandbox = testSandbox({ sendThrough, egress, readings })
  return {
    stage,
    receiver,
    sandbox,
    egress,
    exchanges,
    lateCount: () => late.count,
    async close() {
      await transport.close()
      await sandbox.close()
    },
  }
}

/** Calls `onLate` after `limitMs`. A timer can fire early, because it counts from the start of the event loop turn. */
function watch(limitMs: number, onLate: () => void): () => void {
  const endsAt = performance.now() + limitMs
  let timer = setTimeout(check, limitMs)
  function check(): void {
    const leftMs = endsAt - performance.now()
    if (leftMs > 0) timer = setTimeout(check, leftMs)
    else onLate()
  }
  return () => clearTimeout(timer)
}

async function registerBefore({ sandbox, receiver }: Bench): Promise<void> {
  const wanted = { url: receiver.url, object_type: 'users' }
  const { status, body } = await sandbox.call('POST', '/webhooks', wanted)
  await receiver.ready?.()
  if (status !== 201) throw new Error(`Cannot try the fault: what comes before it failed: ${body.message}`)
}

async function tryRegistration(row: FaultRow, bench: Bench): Promise<readonly string[]> {
  const { sandbox, receiver, exchanges } = bench
  const [stored, sent] = [sandbox.store.length, exchanges.length]

  const { status, body } = await sandbox.call('POST', '/webhooks', {
    url: receiver.url,
    object_type: 'items',
  })

  const exchange = exchanges[sent]
  const said = exchange === undefined ? refusalOf(bench) : summary(exchange)
  const [expected, reason] = isSuccess(row) ? [201, ''] : [422, spokenReason(bench, exchange)]
  return compare({
    outcome: [said, row.outcome],
    'status of the registration': [status, expected],
    'the reason in its message': [String(body.message ?? '').includes(reason), true],
    'something stored': [sandbox.store.length > stored, isSuccess(row)],
    POSTs: [exchanges.length - sent, exchange ? 1 : 0],
    'what was kept': [exchange && row.inspect?.(exchange), undefined],
  })
}

async function tryDelivery(row: FaultRow, bench: Bench): Promise<readonly string[]> {
  const { sandbox, receiver, exchanges } = bench
  const sent = exchanges.length
  const id = await registerSilently(sandbox, receiver.url)

  await changeItem(sandbox, row)
  await sandbox.idle()

  const [job] = sandbox.store.jobs()
  const { body } = await sandbox.control('GET', `/jobs/${job?.id}`)
  const [attempt, ...more] = body.attempts
  const outcome = DELIVERED.get(row.outcome) ?? row.outcome
  return compare({
    outcome: [[attempt.reason ?? attempt.status, ...attempt.flags].join(' '), outcome],
    'more attempts': [more.length, 0],
    'status of the job': [body.job.status, isSuccess(row) ? 'success' : 'failed'],
    'next attempt': [attempt.next_due_at, isSuccess(row) ? null : timestamp(START + FIRST_RETRY_MS)],
    'secret path in the message': [String(attempt.message).includes('7d1c'), false],
    'registration enabled': [sandbox.store.registration(id)?.enabled, true],
    POSTs: [exchanges.length - sent, 1],
    'what was kept': [exchanges[sent] && row.inspect?.(exchanges[sent]), undefined],
  })
}

async function tryEnd(row: FaultRow, { stage, receiver, sandbox, lateCount }: Bench) {
  const isClean = !/response_(in|tr)/.test(row.outcome) && /^(2\d\d|http_)/.test(row.outcome)
  return compare({
    'connections where none may go': [stage.forbiddenConnections(), 0],
    'connections in all': [stage.connections(), receiver.connections ?? stage.connections()],
    'connections left open': [isClean ? 0 : await stage.leftOpen(), 0],
    'exchanges after their deadline': [lateCount(), 0],
    'errors of the sandbox': [sandbox.errors.length, 0],
  })
}

/**
 * Outcomes of deliveries to URLs that are now rejected at registration, by error code. Earlier versions of the sandbox may have
 * stored registrations with these URLs.
 */
const DELIVERED: ReadonlyMap<string, string> = new Map(
  ['url_not_https', 'url_malformed', 'url_userinfo', 'url_fragment', 'url_too_long', 'target_not_local'].map(
    (code) => [code, 'blocked_address'],
  ),
)

function isSuccess({ outcome }: FaultRow): boolean {
  return /^2\d\d\b/.test(outcome)
}

function summary({ outcome, flags }: Exchange): string {
  const what =
    outcome.kind === 'unanswered'
      ? outcome.reason
      : outcome.status >= 200 && outcome.status < 300
        ? String(outcome.status)
        : `http_${outcome.status}`
  return [what, ...flags].join(' ')
}

function refusalOf({ egress, receiver }: Bench): string {
  const verdict = egress.judgeUrl(receiver.url)
  return verdict.kind === 'refused' ? verdict.refusal.code : 'not sent'
}

function spokenReason({ egress, receiver }: Bench, exchange: Exchange | undefined): string {
  if (exchange?.outcome.kind === 'answered') return `was answered ${exchange.outcome.status}`
  if (exchange) return `(${exchange.outcome.reason}): ${exchange.outcome.message}`
  const verdict = egress.judgeUrl(receiver.url)
  return verdict.kind === 'refused' ? verdict.refusal.message : 'no refusal'
}

async function registerSilently({ context, commit }: TestSandbox, url: string): Promise<string> {
  const id = context.newId()
  const [description, created_at] = [null, context.now()]
  const registration = { id, url, object_type: 'items', enabled: true, description, created_at } as const
  await commit([
    {
      kind: 'registration',
      registration: { ...registration, generation: 'webhooks', updated_at: created_at },
    },
  ])
  return id
}

async function changeItem({ context, commit }: TestSandbox, { bodyBytes = 0 }: FaultRow): Promise<void> {
  const { newId, now } = context
  const fields = bodyBytes > 0 ? { description: 'x'.repeat(bodyBytes) } : {}
  const object = newObject('items', fields, { id: newId(), number: () => 1, now: timestamp(now()), newId })
  await commit([{ kind: 'object', object_type: 'items', object }])
}

function compare(pairs: Readonly<Record<string, readonly [found: unknown, expected: unknown]>>): string[] {
  return Object.entries(pairs)
    .filter(([, [found, expected]]) => found !== expected)
    .map(([name, [found, expected]]) => `${name}: ${String(found)} instead of ${String(expected)}`)
}
