import { itemStatus } from '../../../spec/lifecycles.ts'
import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { finalPlaces, selectBranches, type Branch } from '../../toolkit/branches.ts'
import {
  documentedSequence,
  oneByOne,
  describeSequence,
  permutations,
  type Sequence,
} from '../../toolkit/sequences.ts'
import { finalOnlySequences } from './arrivals.ts'
import { combineFindings, failed, notObservable, passedExcept, type Finding } from '../../finding.ts'
import { describeEffects, expectAccepted, expectEffects } from '../../toolkit/expectations.ts'
import {
  checkBeforeSuccess,
  checkOutcome,
  checkScenarios,
  companionObjects,
} from '../../toolkit/payment-outcome.ts'
import { lastAboutConsequence, playScenarios, type PlayedScenario } from '../../toolkit/scenario.ts'
import { readObject } from '../../toolkit/messages.ts'

export const outcomeChecks: readonly ReceiverCheck[] = [
  {
    id: 'order/failure-branches',
    severity: 'must',
    requirement: 'The receiver does not act on a failed payment, and records the failure.',
    lines: [224, 227, 231, 237, 239],
    readings: ['failed-direct-debit', 'realtime-payout-sequence'],
    needs: ['effects'],
    meaning:
      'If you check only that a direct debit or payout has ended, a rejected payment looks like a successful payment. You send goods for money that never came.',
    remedy:
      'Act only on the state that means success. Handle each failure by its name, and treat an unknown state as a failure.',
    run: (context) =>
      checkScenarios(context, selectBranches(context, 'bad'), (branch) => [
        documentedSequence(branch),
        ...finalOnlySequences(branch),
      ]),
  },
  {
    id: 'order/no-release-before-success',
    severity: 'must',
    requirement: 'The receiver does not act on a payment that is still in progress.',
    lines: [7, 222, 229, 232, 235],
    readings: ['realtime-payout-sequence'],
    needs: ['effects'],
    negative: true,
    meaning:
      'In the states batched, bank_processing and bpay_pending, the payment can still be rejected. If you release goods before the payment is final, you can lose the goods.',
    remedy: 'Release goods only when the state of the object means success.',
    async run(context) {
      const branches = selectBranches(context, 'good')
      const findings = await checkBeforeSuccess(context, branches, (each) => expectNotActed(context, each))
      return combineFindings(findings, branches.unobserved)
    },
  },
  {
    id: 'order/change-after-final',
    severity: 'should',
    requirement:
      'The receiver records a valid change after a final state, such as a refund, and does not act again.',
    lines: [38],
    readings: ['item-states', 'unshown-transitions'],
    needs: ['effects'],
    meaning:
      'A completed item can be refunded. A receiver that ignores every change after a final state still shows a refunded item as sold. The refund is missing from the books, and your platform may refund the payment twice.',
    remedy: 'After a final state, reject only changes back to an earlier state of the life cycle.',
    takesLong: true,
    run: checkChangeAfterFinal,
  },
  {
    id: 'order/twin-notifications',
    severity: 'must',
    requirement:
      'The receiver acts once on a payment that several objects report, in any order or at the same time.',
    lines: [15, 311, 313],
    needs: ['effects'],
    meaning:
      'A card pay-in succeeds as a transaction, is settled as a batch transaction, and changes its item. A BPAY pay-in succeeds as a transaction and as a batch. A receiver that acts on each object of a payment credits the same money twice.',
    remedy:
      'Act on only one object of each payment, and use its other objects only for information. Or act once per payment, and identify the payment by the ids in related.',
    run: (context) => checkScenarios(context, selectBranches(context, 'good'), twinSequences),
  },
  {
    id: 'order/interleaved-payments',
    severity: 'must',
    requirement: 'The receiver does not mix up two payments whose notifications are interleaved.',
    lines: [311, 312, 313],
    readings: ['failed-direct-debit'],
    needs: ['effects'],
    meaning:
      'Two customers pay at the same time. A receiver that matches payments by order of arrival or by amount releases goods to the wrong customer.',
    remedy:
      'Match notifications by the ids that they contain: id, account_id and the ids in related. Do not keep data from one request for the next request.',
    run: checkInterleaved,
  },
]

async function expectNotActed(context: CheckContext, { branch, sequence, play, sent }: PlayedScenario) {
  const refused = expectAccepted(...sent)
  if (refused) return refused
  const because = `when the only notifications of ${branch.kind} are ${describeSequence(sequence, branch)}`
  const targets = [...companionObjects(branch, play), play.consequence]
  const looks = targets.map((target) => expectEffects(context, target, { effects: 0, because }))
  return (await Promise.all(looks)).find((look) => look !== undefined)
}

const REFUND = [
  { state: 'completed', status: itemStatus('completed') },
  { state: 'refunded', status: itemStatus('refunded') },
] as const

async function checkChangeAfterFinal(context: CheckContext): Promise<Finding> {
  if (!context.receiver.types().includes('items')) return notObservable('the receiver has no URL for items')
  const [done, refunded] = REFUND
  const item = await context.service.create('items', done)
  const first = expectAccepted(await context.sendUntilAccepted(item))
  if (first) return first
  const before = await context.effects.settleState(item, done.state)
  if (before.state === null) return notObservable('the receiver shows no state for items')
  const message = await context.service.change(item, refunded)
  const second = expectAccepted(await context.sendUntilAccepted(message))
  if (second) return second
  const after = await context.effects.settleState(item, refunded.state)
  if (after.state === refunded.state) {
    const because = 'as before the refund'
    return combineFindings([await expectEffects(context, item, { effects: before.effects, because })])
  }
  const expected = `items ${item.id} in the state ${refunded.state}, which is newer than ${done.state}`
  return { ...failed(expected, describeEffects(after), { objects: [item] }), symptom: 'other-state' }
}

/** Returns every order of the last notifications, and one sequence in which the last notifications arrive at the same time. */
function twinSequences(branch: Branch): readonly Sequence[] {
  const last = finalPlaces(branch)
  if (last.length < 2) return []
  const before = oneByOne(...[...branch.parts.keys()].filter((index) => !last.includes(index)))
  return [...permutations(last).map((order) => oneByOne(...order)), [last]].map((end) => [...before, ...end])
}

/** The amounts in minor units. The amounts differ, so that the check can detect a receiver that confuses the two payments. */
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
  const message = lastAboutConsequence(play)
  const { amount } = message ? readObject(message) : {}
  if (!target || typeof amount !== 'number') return undefined
  const seen = await context.effects.read(target)
  if (seen.amount === undefined) return passedExcept('the amounts of the effects')
  const expected = `an effect of ${amount} for ${target.type} ${target.id}, although notifications of another ${branch.kind} arrived in between`
  return seen.amount === amount
    ? undefined
    : failed(expected, describeEffects(seen), { exchanges: played.sent, objects: [target] })
}
