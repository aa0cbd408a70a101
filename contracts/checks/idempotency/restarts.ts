import { retryOffsetsMs } from '../../../spec/delivery.ts'
import { selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { requireAccepted } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { checkRepetition, requireEffects } from '../../toolkit/payment-outcome.ts'
import { combineFindings, type Exchange, type Finding } from '../../finding.ts'

export const restartChecks: readonly ReceiverCheck[] = [
  {
    id: 'idempotency/again-after-restart',
    severity: 'must',
    requirement:
      'After a restart, the receiver does not act again on a delivery that it has acted on before.',
    lines: [297, 343, 344],
    readings: ['retry-window', 'retry-body'],
    needs: ['process', 'effects'],
    alone: true,
    meaning:
      'A delivery whose answer was lost comes again for a day, and each deployment restarts the receiver. If only its memory holds its actions, each deployment lets it pay twice.',
    remedy:
      'Record the object and the state that you act on in the database, under a unique key, in the transaction that acts.',
    run: checkRestart,
  },
]

async function checkRestart(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await playToSuccess(context, branches)
  const firsts = await Promise.all(
    finished.map(
      async (each) => requireAccepted(await context.send(each.message)) ?? requireEffects(context, each),
    ),
  )
  await context.process.stop()
  await context.process.start()
  const acted = finished.filter((_, index) => firsts[index] === undefined)
  const again = await Promise.all(acted.map((each) => repeat(context, each)))
  return combineFindings([...firsts, ...again], unobserved)
}

/** At once, and as each retry of the service. */
async function repeat(context: CheckContext, each: PaymentToNotify): Promise<Finding | undefined> {
  const { message, branch } = each
  const retries = retryOffsetsMs('webhooks', context.profile.readings)
  const labels = ['at once', ...retries.map((offsetMs) => `as the retry after ${offsetMs / 60_000} minutes`)]
  const notify = async () => {
    const sent: Exchange[] = []
    for (const label of labels) {
      sent.push(
        await context.sendUntilAccepted(message, { label: `${message.label}, after the restart, ${label}` }),
      )
    }
    return sent
  }
  const because = `although ${branch.kind} was notified again after the receiver was stopped and started`
  return checkRepetition(context, each, { notify, because })
}
