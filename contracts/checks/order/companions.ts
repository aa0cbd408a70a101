import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches, type Branch } from '../../toolkit/branches.ts'
import { documentedSequence, oneByOne, permutations, type Sequence } from '../../toolkit/sequences.ts'
import { combineFindings, failed, passedExcept, type Finding } from '../../finding.ts'
import { describeEffects } from '../../toolkit/expectations.ts'
import { readNumber } from '../../toolkit/messages.ts'
import { checkOutcome, checkScenarios } from '../../toolkit/payment-outcome.ts'
import { playScenarios, type PlayedScenario } from '../../toolkit/scenario.ts'

export const companionChecks: readonly ReceiverCheck[] = [
  {
    id: 'order/twin-notifications',
    severity: 'must',
    requirement: 'The receiver acts once on a payment that several objects report, in any order and at once.',
    lines: [15, 311, 313],
    needs: ['effects'],
    meaning:
      'A card pay-in succeeds as a transaction, is settled as a batch transaction, and changes its item. A BPAY pay-in succeeds as a transaction and as a batch. A receiver that acts on each of them credits the same money twice.',
    remedy:
      'Choose one of the objects to act on, and use the others only for information. Or act once per payment, by the related ids.',
    run: (context) => checkScenarios(context, selectBranches(context, 'good'), twinSequences),
  },
  {
    id: 'order/interleaved-payments',
    severity: 'must',
    requirement: 'The receiver keeps two payments apart whose notifications are interleaved.',
    lines: [311, 312, 313],
    readings: ['failed-direct-debit'],
    needs: ['effects'],
    meaning:
      'Two customers pay at the same time. A receiver that matches by arrival or by amount releases goods to one customer for the money of the other.',
    remedy:
      'Match by the ids in the notification, which are its own id, account_id and related. Keep nothing from one request for the next.',
    run: checkInterleaved,
  },
]

/** Combines every order of the last parts, also concurrent. */
function twinSequences({ parts }: Branch): readonly Sequence[] {
  const places = [...parts.keys()]
  const last = places.filter((index) => parts[index]?.isLast)
  if (last.length < 2) return []
  const before = oneByOne(...places.filter((index) => !last.includes(index)))
  return [...permutations(last).map((order) => oneByOne(...order)), [last]].map((end) => [...before, ...end])
}

/** Minor units. Different amounts tell the payments apart. */
const AMOUNTS = [1_100, 2_300] as const

async function checkInterleaved(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'all')
  const scenarios = branches
    .filter(({ effects }) => effects === 1)
    .flatMap((branch) => {
      const other = branches.find(({ kind, effects }) => kind === branch.kind && effects === 0) ?? branch
      return [
        { branch, sequence: documentedSequence(branch), amount: AMOUNTS[0] },
        { branch: other, sequence: documentedSequence(other), amount: AMOUNTS[1] },
      ]
    })
  const played = await playScenarios(context, scenarios)
  return combineFindings(await Promise.all(played.map((each) => checkAmount(context, each))), unobserved)
}

async function checkAmount(context: CheckContext, played: PlayedScenario): Promise<Finding | undefined> {
  const { branch, play } = played
  const found = await checkOutcome(context, played)
  if (found || branch.effects === 0) return found
  const target = play.consequence
  const message = play.messages.find(({ type, id }) => type === target?.type && id === target.id)
  const amount = message && readNumber(message, 'amount')
  if (!target || amount === undefined) return undefined
  const seen = await context.effects.read(target)
  if (seen.amount === undefined) return passedExcept('The amounts that it acts on were not seen')
  const expected = `an effect of ${amount} for ${target.type} ${target.id}, with another ${branch.kind} between`
  return seen.amount === amount
    ? undefined
    : failed(expected, describeEffects(seen), { exchanges: played.sent, objects: [target] })
}
