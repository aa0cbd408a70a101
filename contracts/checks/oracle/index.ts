import { explore, type Exploration } from '../../explore/explore.ts'
import { branchOf, isFair } from '../../explore/fair-case.ts'
import type { Difference } from '../../explore/oracle.ts'
import { playDifference, type FailedCase } from '../../explore/shrink.ts'
import { listExchangeEvents } from '../../explore/story.ts'
import { failed, notObservable, PASSED, passedExcept, type Finding, type Symptom } from '../../finding.ts'
import { selectBranches, type Branch } from '../../toolkit/branches.ts'
import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import type { ExploredCase } from '../../explored-case.ts'

const anyWorldCheck: ReceiverCheck = {
  id: 'oracle/any-world',
  severity: 'must',
  requirement:
    'For every mix of payments, deliveries and faults, each successful payment has exactly one correct effect, and nothing else has an effect.',
  lines: [53, 56, 217, 283, 297, 343, 344],
  readings: ['delivery-success', 'realtime-payout-sequence', 'retry-body'],
  uses: ['effects', 'calls', 'process', 'callbacks'],
  spansRun: true,
  meaning:
    'In production, many payments, duplicates, late notifications and failing calls occur at the same time. With this mix of payments, deliveries and faults, your platform released goods twice, never, or for the wrong amount.',
  remedy:
    'Read the story of the failure, and repeat the failure with the printed command. Treat each notification only as a reason to fetch the object from the service. Act once for each successful object, and recognise the object by its id.',
  run: checkAnyWorld,
}

async function checkAnyWorld(context: CheckContext): Promise<Finding> {
  const explored = await exploreFor(context, () => context.restOfRun(0))
  if ('kind' in explored) return explored
  const { exploration, branches, unobserved } = explored
  const { failure } = exploration
  if (failure) {
    failure.fork.adopt()
    return toFinding(
      failure,
      branches,
      `${failure.difference.actual} (found in ${describeExtent(exploration)})`,
    )
  }
  const unseen = context.effects.observable
    ? undefined
    : 'the effects of the receiver, so the check judged only answers and limits'
  return { ...passedExcept(unobserved, unseen), detail: describeExtent(exploration) }
}

async function exploreFor(context: CheckContext, untilAlone: () => Promise<void>) {
  const { forMs, keep } = context.exploration
  if (forMs === 0) return notObservable('exploration is off')
  const { branches, unobserved } = selectBranches(context, 'all')
  if (branches.length === 0) return notObservable(unobserved ?? 'the receiver is not notified of any payment')
  const kept = context.exploration.kept().filter((plan) => isFair(plan, branches))
  const onSuspect = (plan: ExploredCase) => keep([plan])
  const exploration = await explore(context, { branches, forMs, kept, onSuspect }, untilAlone)
  context.exploration.bounds = exploration.bounds.finding()
  keep(exploration.failure ? [exploration.failure.plan] : [])
  return { exploration, branches, unobserved }
}

const boundsCheck: ReceiverCheck = {
  id: 'oracle/within-bounds',
  severity: 'should',
  requirement:
    'For every mix of payments, deliveries and faults, the receiver calls the service at most 20 times for each notification, and answers before the deadline.',
  lines: [283],
  readings: ['delivery-deadline'],
  uses: ['calls'],
  spansRun: true,
  meaning:
    'A receiver that calls the service again without a pause makes an outage worse and reaches the rate limit. A receiver that does not close its connections runs out of connections.',
  remedy:
    'Wait longer after each failed call, and give each call a time limit. Answer the notification before you call the service.',
  run: checkBounds,
}

/** Judges the exploration that `oracle/any-world` ran. Runs an exploration if `oracle/any-world` was not selected. */
async function checkBounds(context: CheckContext): Promise<Finding> {
  await context.restOfRun(0)
  if (!context.exploration.bounds) {
    const explored = await exploreFor(context, () => Promise.resolve())
    if ('kind' in explored) return explored
  }
  return context.exploration.bounds ?? PASSED
}

export const oracleChecks: readonly ReceiverCheck[] = [anyWorldCheck, boundsCheck]

/** Returns a check that tests the requirement of `oracle/any-world` by replaying one explored case. */
export function caseCheck(plan: ExploredCase): ReceiverCheck {
  const { spansRun: _, ...check } = anyWorldCheck
  return { ...check, run: (context) => replay(context, plan) }
}

async function replay(context: CheckContext, plan: ExploredCase): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'all')
  const unknown = plan.payments.find((each) => !branchOf(each, branches))
  if (unknown) return notObservable(unobserved ?? `the receiver is not notified of ${unknown.kind}`)
  const fork = context.fork('case')
  const difference = await playDifference(fork.context, plan, { branches })
  fork.adopt()
  await fork.close()
  if (difference) return toFinding({ plan, difference, fork }, branches, difference.actual)
  return passedExcept(context.effects.observable ? undefined : 'the effects of the receiver')
}

function toFinding({ plan, difference }: FailedCase, branches: readonly Branch[], actual: string): Finding {
  const { expected, object, exchanges, symptom } = difference
  const evidence = { ...(object && { objects: [object] }), ...(exchanges && { exchanges }) }
  return {
    ...failed(expected, actual, evidence),
    ...(isSymptom(symptom) && { symptom }),
    counterexample: { story: listExchangeEvents(plan, branches), plan },
  }
}

const isSymptom = (symptom: Difference['symptom']): symptom is Symptom =>
  !['amount', 'owner', 'answer', 'missing-call'].includes(symptom)

function describeExtent({ cases, coverage }: Exploration): string {
  return `${cases} worlds, ${Math.round(coverage * 100)} % of the pairs of values`
}
