import { createCheckContext, type OwnCheckContext, type Shared } from './create-check-context.ts'
import { callsOf } from './watches.ts'
import type { CheckContext, ReceiverCheck } from '../toolkit/check-context.ts'
import { NEEDS, type Need } from '../check.ts'
import { notObservable, unreachable, type Finding } from '../finding.ts'
import { acceptedFirst } from '../toolkit/judge.ts'
import type { CheckResult, RunEvent } from './run-result.ts'

/** Puts one check to the receiver, between controls if it expects a refusal. Throws only what is wrong with us or the set-up. */
export async function resultOf(
  check: ReceiverCheck,
  shared: Shared,
  unreached: string | null,
): Promise<CheckResult> {
  const own = createCheckContext(check.id, shared)
  const startedAt = shared.elapsed()
  const realStart = Date.parse(shared.now())
  const finding = await found(check, own, { shared, unreached })
  const skipped = finding === undefined
  return {
    check,
    verdict: skipped ? 'skipped' : finding.kind,
    finding,
    events: skipped ? [] : await collectEvents(own, shared, realStart),
    tookMs: shared.elapsed() - startedAt,
    knownFailure: shared.options.knownFailures.includes(check.id),
  }
}

async function found(
  check: ReceiverCheck,
  own: OwnCheckContext,
  circumstances: Circumstances,
): Promise<Finding | undefined> {
  try {
    return await findingOf(check, own, circumstances)
  } finally {
    await own.close()
  }
}

interface Circumstances {
  readonly shared: Shared
  readonly unreached: string | null
}

/** Undefined if the configuration has no place for it. */
async function findingOf(
  check: ReceiverCheck,
  { bench }: OwnCheckContext,
  { shared, unreached }: Circumstances,
): Promise<Finding | undefined> {
  const { needs = [] } = check
  if (needs.includes('callbacks') && bench.receiver.types('callbacks').length === 0) return undefined
  const lacking = needs.find((need) => !isMet(need, bench))
  if (lacking !== undefined) return notObservable(`set ${NEEDS[lacking].settings}${NEEDS[lacking].detail}`)
  if (unreached !== null && check.probes !== 'address') return unreachable(unreached)
  if (check.negative !== true) return check.run(bench)
  return between(bench, () => check.run(bench))

  function isMet(need: Need, { calls, effects, process: hooks }: CheckContext): boolean {
    switch (need) {
      case 'calls':
        return calls.observable
      case 'effects':
        return effects.observable
      case 'process':
        return hooks.observable
      case 'source-addresses':
        return shared.profile.source !== undefined
      case 'callbacks':
        return true
      default:
        return need satisfies never
    }
  }
}

/** A refusal says something only about a receiver that accepts what it should, before and after. */
async function between(bench: CheckContext, run: () => Promise<Finding>): Promise<Finding> {
  const before = await control(bench, 'control before')
  if (before) return before
  const finding = await run()
  return (await control(bench, 'control after')) ?? finding
}

async function control(bench: CheckContext, label: string): Promise<Finding | undefined> {
  const types = bench.receiver.types()
  const type = types.find((one) => one === 'items') ?? types[0]
  if (type === undefined) return notObservable('the receiver has no URL')
  const notice = bench.noticeOf(await bench.world.create(type))
  return acceptedFirst(await bench.send(notice, { label: `${label}: ${notice.label}` }))
}

/** What happened, with the calls about the check's objects among it. */
async function collectEvents(
  { record, made }: OwnCheckContext,
  { service }: Shared,
  realStart: number,
): Promise<RunEvent[]> {
  const calls = await callsOf(service, {})
  const ours = calls.filter(({ object_type, object_id }) => made.has(`${object_type}/${object_id}`))
  const called = ours.map((request) => ({
    kind: 'called' as const,
    atMs: Math.max(0, Date.parse(request.real_at) - realStart),
    request,
  }))
  return [...record.events, ...called].toSorted((a, b) => a.atMs - b.atMs)
}
