import { onePerType, selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, ReceiverCheck, ServiceFault } from '../../toolkit/check-context.ts'
import { expectAccepted, isAccepted } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { named } from '../../toolkit/messages.ts'
import { checkEffects } from '../../toolkit/payment-outcome.ts'
import { combineFindings, notObservable, type Exchange, type Finding, type ObjectRef } from '../../finding.ts'

export const ACTED_AGAIN = {
  'repeated-effect': {
    meaning:
      'The receiver acts again on a payment that it had acted on before the stop. Each deployment can ship goods twice or pay out twice.',
    remedy:
      'Act and record the action in one transaction, under a unique key for the payment. If the effect happens in another system, send this unique key with the request to that system.',
  },
} as const

export const killChecks: readonly ReceiverCheck[] = [
  {
    id: 'recovery/kill-at-work',
    severity: 'must',
    requirement:
      'The receiver acts once on every accepted notification, even if it is stopped repeatedly while it works.',
    lines: [297],
    readings: ['delivery-success'],
    needs: ['process', 'calls', 'effects'],
    alone: true,
    meaning:
      'Work that leaves a queue before it is done, or waits in memory for a retry, is lost with the process. The service never sends an accepted notification again.',
    remedy:
      'Remove a notification from your queue in the same transaction as the action, or acknowledge the notification only after the action. After a restart, start unfinished work again.',
    explanations: ACTED_AGAIN,
    run: checkKillAtWork,
  },
]

interface Trouble {
  /** The text after "it was stopped" in a message, such as "while the service failed". */
  readonly when: string
  readonly fault: ServiceFault
  /** After this number of calls to the service, the check assumes that the receiver is processing the notification. */
  readonly calls: number
  readonly kills: number
}

const KILLS = 3

/** The faults that keep a receiver busy. The hanging call comes last, because the service never answers it. */
const TROUBLES: readonly Trouble[] = [
  {
    when: 'while the service failed',
    fault: { kind: 'status', status: 503 },
    // The second call shows that the receiver has handled the first failure. Further calls may come much later.
    calls: 2,
    kills: 1,
  },
  {
    when: `${KILLS} times while the receiver waited for the answer of the service`,
    fault: { kind: 'hang' },
    calls: 1,
    kills: KILLS,
  },
]

/** A payment that the receiver cannot process completely because of a fault. */
interface Work extends PaymentToNotify {
  readonly trouble: Trouble
}

async function checkKillAtWork(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const works: Work[] = []
  for (const trouble of TROUBLES) {
    const finished = await playToSuccess(context, onePerType(branches))
    works.push(...finished.map((each) => ({ ...each, trouble })))
  }
  if (works.length === 0) return combineFindings([], unobserved)
  const sent = await killAgainAndAgain(context, works)
  const findings = works.map((work, index) => judgeWork(context, work, sent[index]))
  return combineFindings(await Promise.all(findings), unobserved)
}

async function killAgainAndAgain(context: CheckContext, works: readonly Work[]) {
  const faults = await Promise.all(
    works.map(({ target, trouble }) => context.service.disturb(target, trouble.fault)),
  )
  let sent: readonly (Exchange | undefined)[] = works.map(() => undefined)
  let counts: readonly number[] = works.map(() => 0)
  for (let kill = 1; kill <= KILLS; kill++) {
    const sending: Promise<Exchange>[] = []
    for (const trouble of TROUBLES) {
      const busy = works.map(async (work, index) => {
        if (work.trouble !== trouble) return
        const before = sent[index]
        sending[index] = before && isAccepted(before) ? Promise.resolve(before) : context.send(work.message)
        if (kill <= trouble.kills) await awaitWork(context, work, counts[index] ?? 0)
      })
      await Promise.all(busy)
    }
    await context.process.stop()
    sent = await Promise.all(sending)
    counts = await Promise.all(works.map(({ target }) => countCalls(context, target)))
    const over = faults.filter((_, index) => works[index]?.trouble.kills === kill)
    await Promise.all(over.map((fault) => fault.stop()))
    await context.process.start()
  }
  return sent
}

async function awaitWork(context: CheckContext, { target, trouble }: Work, before: number): Promise<void> {
  if (before === 0) await context.calls.settle(target)
  await context.calls.settleAtMost(target, before + trouble.calls - 1)
}

async function countCalls({ calls }: CheckContext, target: ObjectRef): Promise<number> {
  return (await calls.about(target)).length
}

async function judgeWork(context: CheckContext, work: Work, before: Exchange | undefined) {
  const { message, target, branch, trouble } = work
  const again = named(message, 'after the last start of the receiver')
  const last = before && isAccepted(before) ? before : await context.sendUntilAccepted(again)
  const refused = expectAccepted(last)
  if (refused) return refused
  if ((await countCalls(context, target)) === 0)
    return notObservable(
      `the receiver did not ask for the ${target.type} of ${branch.kind}, so the check could not stop it during its work`,
    )
  const because = `although the receiver was stopped ${trouble.when}`
  return checkEffects(context, work, because)
}
