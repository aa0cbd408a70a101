import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches, onePerType, type Branch } from '../../toolkit/branches.ts'
import { oneByOne, describeSequence } from '../../toolkit/sequences.ts'
import { combineFindings, controlFailed, notObservable, failed, type Finding } from '../../finding.ts'
import { expectAccepted, isReached, requireAccepted } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { shiftTimes } from '../../toolkit/messages.ts'
import { checkEffects, requireEffects } from '../../toolkit/payment-outcome.ts'
import { playScenarios, reachMessages, type PlayedScenario } from '../../toolkit/scenario.ts'
import { ACTED_AGAIN } from './kills.ts'
import { unobservedEffects } from '../../toolkit/unobserved.ts'

export const outageChecks: readonly ReceiverCheck[] = [
  {
    id: 'recovery/resent-after-outage',
    severity: 'should',
    requirement:
      'The receiver accepts a notification that is sent again by hand after all retries, and does not go back to an earlier state.',
    lines: [343, 344, 345],
    readings: ['retry-window', 'retry-body'],
    needs: ['process', 'effects'],
    alone: true,
    meaning:
      'After a long outage, the operator sends failed notifications again, days old and out of order. The receiver must not reject them, and must not reopen paid orders.',
    remedy: 'Accept notifications of any age, and move a payment forward only.',
    run: checkLongOutage,
  },
  {
    id: 'recovery/old-timestamps',
    severity: 'must',
    requirement: 'The receiver accepts a notification whose object was last changed a day or a week ago.',
    lines: [343, 344, 345],
    readings: ['retry-window', 'retry-body'],
    uses: ['effects'],
    meaning:
      'A retry can come a day after the change, and a manual one later still. A receiver that rejects old notifications rejects exactly the missed ones, and never acts on their payments.',
    remedy: 'Check the age of a signature if there is one, never the age of updated_at.',
    run: checkOldTimestamps,
  },
  {
    id: 'recovery/kill-after-answer',
    severity: 'must',
    requirement:
      'The receiver acts on every accepted notification, even if it is stopped right after its answer.',
    lines: [297],
    readings: ['delivery-success'],
    needs: ['process', 'effects'],
    alone: true,
    meaning:
      'An accepted notification is never sent again. Work in memory is lost with the process at every deployment. The platform never acts on these successful payments.',
    remedy:
      'Write the notification to durable storage before you answer. After a start, resume unfinished notifications.',
    explanations: ACTED_AGAIN,
    run: checkKillAfterAnswer,
  },
]

async function checkLongOutage(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const moving = onePerType(branches.filter(({ parts }) => earlyParts(parts).length > 0))
  const scenarios = moving.map((branch) => ({
    branch,
    sequence: oneByOne(...earlyParts(branch.parts).slice(0, -1)),
  }))
  const played = await playScenarios(context, scenarios)
  const first = played.map(({ sent }) => requireAccepted(...sent)).find((finding) => finding !== undefined)
  if (first) return first

  const missed = await missMessages(context, played)
  if (!Array.isArray(missed)) return missed
  const planned: { readonly each: PlayedScenario; readonly rest: RemainingMessages }[] = []
  for (const [index, each] of played.entries())
    planned.push({ each, rest: await planRest(each, missed[index]) })
  const parts = planned.map(({ each, rest }) => sendRest(context, each, rest))
  return combineFindings(await Promise.all(parts), unobserved)
}

function earlyParts(parts: Branch['parts']): readonly number[] {
  return [...parts.keys()].filter((index) => parts[index]?.isLast === false)
}

/**
 * Returns the last early message of each payment, whose delivery has failed for good, or the reason if it has
 * not.
 */
async function missMessages(
  context: CheckContext,
  played: readonly PlayedScenario[],
): Promise<Message[] | Finding> {
  const missed: Message[] = []
  for (const { branch, play } of played) {
    const place = earlyParts(branch.parts).at(-1) ?? 0
    const message = (await reachMessages(branch, play, place))[place]
    if (!message) return notObservable(`It is not notified of an early state of ${branch.kind}`)
    missed.push(message)
  }
  // The receiver stops at rest, not during its work.
  await context.rest()
  await context.process.stop()
  const sent = await Promise.all(
    missed.map((message) =>
      context.sendUntilAccepted(message, { label: `${message.label}, while it is down` }),
    ),
  )
  await context.process.start()
  return sent.some(isReached)
    ? controlFailed('it still answered after process.stop', { exchanges: sent.filter(isReached) })
    : missed
}

interface RemainingMessages {
  readonly newer: readonly Message[]
  readonly old: Message | undefined
}

async function planRest(
  { branch, play }: PlayedScenario,
  old: Message | undefined,
): Promise<RemainingMessages> {
  const places = [...branch.parts.keys()].filter((index) => branch.parts[index]?.isLast)
  const messages = await reachMessages(branch, play, branch.parts.length - 1)
  return { newer: places.flatMap((index) => messages[index] ?? []), old }
}

async function sendRest(
  context: CheckContext,
  played: PlayedScenario,
  { newer, old }: RemainingMessages,
): Promise<Finding | undefined> {
  const sent = []
  for (const message of newer) sent.push(await context.sendUntilAccepted(message))
  const label = `${old?.label}, sent again by hand`
  if (old) sent.push(await context.send(old, { label }))
  const { branch } = played
  const last = oneByOne(...[...branch.parts.keys()].filter((index) => branch.parts[index]?.isLast))
  const because = `when ${branch.kind} is notified as ${describeSequence(last, branch)} after an outage, then ${label}`
  return expectAccepted(...sent) ?? checkEffects(context, played, because)
}

const HOUR_MS = 3_600_000
const AGES = [
  { name: '25 hours', ms: 25 * HOUR_MS },
  { name: '8 days', ms: 8 * 24 * HOUR_MS },
] as const

async function checkOldTimestamps(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const chosen = onePerType(branches)
  const parts: (() => Promise<Finding | undefined>)[] = []
  for (const { name, ms } of AGES) {
    for (const each of await playToSuccess(context, chosen)) {
      const old = { ...shiftTimes(each.message, ms), label: `${each.message.label}, ${name} old` }
      parts.push(
        async () =>
          expectAccepted(await context.send(old)) ??
          checkEffects(context, each, `with a state that is ${name} old`),
      )
    }
    for (const type of ['items', 'users'] as const) {
      if (!context.receiver.types().includes(type)) continue
      const message = context.messageFor(await context.service.create(type))
      const old = { ...shiftTimes(message, ms), label: `${message.label}, ${name} old` }
      parts.push(async () => expectAccepted(await context.send(old)))
    }
  }
  return combineFindings(
    await Promise.all(parts.map((part) => part())),
    unobservedEffects(context),
    unobserved,
  )
}

async function checkKillAfterAnswer(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await playToSuccess(context, onePerType(branches))
  const sent = await Promise.all(finished.map(({ message }) => context.send(message)))
  await context.process.stop()
  await context.process.start()
  const first = requireAccepted(...sent)
  if (first) return first
  const because = 'which was accepted right before the receiver was stopped and started'
  return combineFindings(
    await Promise.all(finished.map((each) => checkEffects(context, each, because))),
    unobserved,
  )
}

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
