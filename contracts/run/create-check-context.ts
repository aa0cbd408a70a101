import type { Finding, ObjectRef } from '../finding.ts'
import { runReconciliation } from '../probes/processes.ts'
import { createActivity } from './activity.ts'
import { createEffectTimes, type EffectTimes } from './effect-delay.ts'
import { createOddRequests, createSender } from './sender.ts'
import type { BegunPayment } from './payment-play.ts'
import { createProcessHooks } from './process-hooks.ts'
import { createExchangeLog, type ExchangeLog } from './run-result.ts'
import { createSeeds } from './seeds.ts'
import { createServiceObjects } from './service-objects.ts'
import type { Shared } from './shared-state.ts'
import { createCallWatch, createEffectWatch, untilAtRest } from './watches.ts'
import type { CheckContext, ServiceObjects } from '../toolkit/check-context.ts'
import { testBody } from '../toolkit/messages.ts'
import type { TlsProbe } from '../toolkit/ports.ts'

/** The context and the events of a check. `close` ends the processes and the faults of the check. */
export interface CheckSession {
  readonly context: CheckContext
  readonly log: ExchangeLog
  readonly made: Map<string, string>
  readonly plays: BegunPayment[]
  /** For each object, the function that reads its effects again at the end of the run. */
  readonly lastLooks: Map<string, () => Promise<Finding | undefined>>
  close(): Promise<void>
  /** Removes the invented objects from the service. Invented objects remain visible after `close` until this function is called. */
  forget(): Promise<void>
}

/** Creates the context of a check. `untilEnd` waits for all checks, except for checks that span the run. */
export function createCheckContext(
  name: string,
  shared: Shared,
  untilEnd: () => Promise<void> = () => Promise.resolve(),
): CheckSession {
  const { options, service, profile, urls, known } = shared
  const log = createExchangeLog(shared.elapsed)
  const seeds = createSeeds(options.seed, name, options.salt)
  const { made, onMade } = recordMade(known)
  const lastLooks: CheckSession['lastLooks'] = new Map()
  const nameFork = forkNames(name)
  const { consequences } = options
  const objects = createServiceObjects({ service, urls, seeds, log, consequences, onMade })
  const activity = createActivity(shared.feed, (object) => made.get(object), profile.callsBack)
  const times = createEffectTimes(shared.delay, shared.elapsed)
  const sender = createSender({ ...shared, log, activity, onAccepted: times.accepted })
  const watching = { ...shared, log, activity, times, isKnown: (id: string) => known.has(id) }
  const calls = createCallWatch(watching)
  const effects = createEffectWatch(shared.probe, watching)
  const hooks = createProcessHooks(() => context, shared, times)
  const context: CheckContext = {
    profile,
    receiver: urls,
    service: { ...objects, disturb: tellingOf(objects.disturb, times) },
    random: seeds.random,
    ...sender,
    request: createOddRequests({ ...shared, log, calls, activity }),
    probeTls: (type) => probeTls(type, context, shared),
    effects,
    calls,
    ...waitsOf(watching, shared),
    restOfRun: restOfRun(shared, untilEnd),
    canary: () => shared.canary(seeds.newId()),
    process: hooks,
    reconcile: {
      observable: options.reconcile !== undefined,
      run: async () => options.reconcile && runReconciliation(options.reconcile, shared.shell),
    },
    note: (text, ...about) =>
      log.add({ kind: 'world', text, about: about.map(({ type, id }) => ({ type, id })) }),
    atEnd: ({ type, id }, look) => void lastLooks.set(`${type}/${id}`, look),
    exploration: shared.exploration,
    fork: (part) => forkSession(session, createCheckContext(nameFork(part), shared)),
  }
  const close = () => objects.close().then(hooks.close)
  const { plays } = objects
  const session = { context, log, made, plays, lastLooks, close, forget: objects.forget }
  return session
}

function waitsOf(watching: Parameters<typeof untilAtRest>[0], { profile, delay, elapsed, pause }: Shared) {
  return {
    rest: () => untilAtRest(watching),
    pauseBetween: () => untilAtRest(watching, profile.callsBack ? delay.paceMs() : undefined),
    elapsed,
    pause,
  }
}

function recordMade(known: Set<string>) {
  const made = new Map<string, string>()
  const onMade = ({ type, id }: ObjectRef, alias = id) => {
    for (const each of [id, alias]) {
      known.add(each)
      made.set(`${type}/${each}`, `${type}/${id}`)
    }
  }
  return { made, onMade }
}

/** Returns a function that names forks. Forks for the same part get different names, so that their ids differ. */
function forkNames(name: string): (part: string) => string {
  const counts = new Map<string, number>()
  return (part) => {
    const count = (counts.get(part) ?? 0) + 1
    counts.set(part, count)
    return count === 1 ? `${name}/${part}` : `${name}/${part}/${count}`
  }
}

function forkSession({ log, made, plays }: CheckSession, fork: CheckSession) {
  return {
    context: fork.context,
    close: () => fork.close().then(fork.forget),
    adopt() {
      const startedAt = log.now() - fork.log.now()
      for (const { atMs, ...event } of fork.log.events) log.add(event, startedAt + atMs)
      for (const [alias, id] of fork.made) made.set(alias, id)
      plays.push(...fork.plays)
    },
  }
}

function restOfRun({ elapsed, pause }: Shared, untilEnd: () => Promise<void>): CheckContext['restOfRun'] {
  return async (leastMs) => {
    const end = elapsed() + leastMs
    await untilEnd()
    await pause(Math.max(0, end - elapsed()))
  }
}

/** Wraps `disturb` to record each added fault, because effects after a fault come late. */
function tellingOf(disturb: ServiceObjects['disturb'], times: EffectTimes): ServiceObjects['disturb'] {
  return (object, fault) => {
    times.interfered()
    return disturb(object, fault)
  }
}

/** Returns the chain of a TLS handshake. A test POST shows whether the service trusts the chain. Source: §5 */
async function probeTls(
  type: Parameters<CheckContext['probeTls']>[0],
  context: CheckContext,
  { handshake }: Shared,
): Promise<TlsProbe> {
  const first = type ?? context.receiver.types()[0]
  if (first === undefined) return { kind: 'failed', reason: 'no_url', message: 'The receiver has no URL' }
  const url = context.receiver.url(first)
  const seen = await handshake(url)
  if (seen.kind === 'failed') return seen
  const { reason, message } = await context.post({
    url,
    body: testBody(context.profile),
    label: 'the test POST',
  })
  return reason?.startsWith('tls_') ? { ...seen, distrust: reason, message } : seen
}
