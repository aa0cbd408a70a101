import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches, type Branch } from '../../toolkit/branches.ts'
import { drawSequence, oneByOne, describeSequence, shortestFailing } from '../../toolkit/sequences.ts'
import { combineFindings, type Failed, type Finding } from '../../finding.ts'
import { checkOutcomes } from '../../toolkit/payment-outcome.ts'
import { playScenarios } from '../../toolkit/scenario.ts'

export const anySequenceCheck: ReceiverCheck = {
  id: 'order/any-sequence',
  severity: 'must',
  requirement:
    'The receiver gets the same result from the notifications of a payment in any order and with any number of duplicates.',
  lines: [217, 297, 343, 344],
  readings: ['realtime-payout-sequence', 'failed-direct-debit', 'retry-body'],
  needs: ['effects'],
  meaning:
    'Retries, duplicates and losses come in unexpected mixtures. In each mixture with another result, a payment is released twice, never, or wrongly.',
  remedy:
    'Take every notification as a reason to ask the service for the object. Move forward only, and act once on success, by a unique key.',
  run: checkAnySequence,
}

/** The number of drawn sequences for each kind and outcome. */
const DRAWS = 3

async function checkAnySequence(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'all')
  const drawn = branches.flatMap((branch) =>
    Array.from({ length: DRAWS }, () => ({ branch, order: drawSequence(branch, context.random) })),
  )
  const findings = await findFailures(context, drawn)
  const finding = combineFindings(findings, unobserved)
  if (finding.kind !== 'failed') return finding
  const first = drawn[findings.findIndex((each) => each?.kind === 'failed')]
  return first ? shrink(context, first, finding) : finding
}

interface Drawn {
  readonly branch: Branch
  readonly order: readonly number[]
}

async function findFailures(
  context: CheckContext,
  drawn: readonly Drawn[],
): Promise<readonly (Finding | undefined)[]> {
  const played = await playScenarios(
    context,
    drawn.map(({ branch, order }) => ({ branch, sequence: oneByOne(...order) })),
  )
  return checkOutcomes(context, played)
}

/** Reports the last failure, or the first one if it did not repeat. */
async function shrink(context: CheckContext, { branch, order }: Drawn, first: Failed): Promise<Finding> {
  const needed = [...branch.parts.keys()].filter((index) => branch.parts[index]?.isLast)
  const failures = new Map<string, Failed>()
  const shortest = await shortestFailing(order, needed, async (candidates) => {
    const findings = await findFailures(
      context,
      candidates.map((candidate) => ({ branch, order: candidate })),
    )
    for (const [index, finding] of findings.entries())
      if (finding?.kind === 'failed') failures.set(String(candidates[index]), finding)
    return findings.map((finding) => finding?.kind === 'failed')
  })
  const failure = failures.get(String(shortest)) ?? first
  const words = describeSequence(oneByOne(...shortest), branch)
  return {
    ...failure,
    actual: `${failure.actual}. The shortest sequence of ${branch.kind} that fails: ${words}`,
  }
}
