import { selectBranches, type Branch } from '../../toolkit/branches.ts'
import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { requireAccepted } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { checkEffects, requireEffects } from '../../toolkit/payment-outcome.ts'
import { combineFindings, failed, notObservable, type Finding } from '../../finding.ts'

export const missedNotificationChecks: readonly ReceiverCheck[] = [
  {
    id: 'recovery/missed-notifications',
    severity: 'should',
    requirement:
      'After an outage longer than all retries, the platform finds the missed notifications and has the right books.',
    lines: [259, 283, 332, 343, 345],
    readings: ['retry-window'],
    needs: ['effects', 'reconcile'],
    alone: true,
    meaning:
      'After the last retry, the service never sends a failed notification again. Money has moved, and only a platform that asks learns about it. The customer has paid and gets nothing.',
    remedy:
      'On a schedule, list the failed jobs of each of your webhooks, on all pages. Ask the service for each object, and proceed as if its notification had just arrived. Act once for each state, however often you look.',
    run: checkMissed,
  },
]

/** Makes the list of failed jobs longer than a page, which has ten by default. */
const TIMES = 3

async function checkMissed(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'all')
  if (branches.length === 0) return combineFindings([], unobserved)
  const outage = await context.service.beginOutage(context.receiver.types())
  if (outage.obstacle !== undefined)
    return notObservable(`The service could not register the receiver: ${outage.obstacle}`)

  const known = await playToSuccess(context, branches.filter(isGood))
  const controls = await Promise.all(known.map((each) => sendFirst(context, each)))
  const acted = known.filter((_, index) => controls[index] === undefined)
  if (acted.length === 0) return combineFindings(controls, unobserved)
  const bad = branches.filter((branch) => !isGood(branch))
  const missed = await playToSuccess(context, [...acted.flatMap(repeatBranch), ...bad])
  const count = await outage.outlast()
  const findings = [...controls]
  for (const when of ['once', 'twice'] as const) {
    const problem = await context.reconcile.run()
    if (problem !== undefined) findings.push(toFailure(problem, missed))
    const because = `after the platform has looked ${when} for missed notifications, with ${count} failed jobs of an outage longer than all retries`
    const seen = [...missed, ...acted].map((each) => checkEffects(context, each, because))
    findings.push(...(await Promise.all(seen)))
    if (findings.some((finding) => finding?.kind === 'failed')) break
  }
  return combineFindings(findings, unobserved)
}

function isGood({ effects }: Branch): boolean {
  return effects === 1
}

function repeatBranch({ branch }: PaymentToNotify): readonly Branch[] {
  return Array.from({ length: TIMES }, () => branch)
}

/** The notification arrives and has its effect, but its answer is lost. The service counts it as failed. */
async function sendFirst(context: CheckContext, each: PaymentToNotify): Promise<Finding | undefined> {
  const label = `${each.message.label}, with a lost answer`
  const sent = await context.send(each.message, { label })
  return requireAccepted(sent) ?? requireEffects(context, each)
}

function toFailure(problem: string, missed: readonly PaymentToNotify[]): Finding {
  return failed('a reconciliation that ends with success', problem, {
    objects: missed.map(({ target }) => target),
  })
}
