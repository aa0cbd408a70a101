import type { PaymentKind } from '../../../spec/payments.ts'
import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches, type Branch } from '../../toolkit/branches.ts'
import { combineFindings, type Finding } from '../../finding.ts'
import { expectAccepted } from '../../toolkit/expectations.ts'
import { checkEffects } from '../../toolkit/payment-outcome.ts'
import { ownMessages } from '../../toolkit/scenario.ts'

export const samePayerChecks: readonly ReceiverCheck[] = [
  {
    id: 'idempotency/same-payer-same-amount',
    severity: 'must',
    requirement: 'The receiver acts on each of two payments of the same person, account and amount.',
    lines: [63, 70, 73],
    needs: ['effects'],
    meaning:
      'A customer who pays the same amount twice has paid twice. A receiver that recognises duplicates by person, account or amount keeps the second payment and delivers nothing.',
    remedy:
      'Recognise a duplicate by the id of the object. Put no unique index on an account, a person or an amount.',
    run: checkSamePayer,
  },
]

/** Pay-ins to a wallet: it need not hold anything before. */
const KINDS: readonly PaymentKind[] = ['npp-payin', 'direct-credit-payin', 'bpay-payin']

/** Minor units. */
const AMOUNT = 4_200

async function checkSamePayer(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good', KINDS)
  const parts = branches.map((branch) => payTwice(context, branch))
  return combineFindings((await Promise.all(parts)).flat(), unobserved)
}

async function payTwice(context: CheckContext, branch: Branch): Promise<readonly (Finding | undefined)[]> {
  const { id: user } = await context.service.create('users', { verification_state: 'approved' })
  const findings: (Finding | undefined)[] = []
  for (const which of ['first', 'second'] as const) {
    const play = await context.service.play(branch.kind, branch.outcome, { amount: AMOUNT, user })
    await play.finish()
    const sent = []
    for (const message of ownMessages(branch, play)) {
      const label = `${message.label} of the ${which} payment`
      sent.push(await context.sendUntilAccepted(message, { label }))
    }
    const because = `the ${which} of two payments of the same person, account and amount`
    findings.push(expectAccepted(...sent) ?? (await checkEffects(context, { branch, play }, because)))
  }
  return findings
}
