import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { finalPlaces, onePerType, selectBranches, type Branch } from '../../toolkit/branches.ts'
import { oneByOne, describeSequence } from '../../toolkit/sequences.ts'
import { combineFindings, controlFailed, notObservable, failed, type Finding } from '../../finding.ts'
import { expectAccepted, isReached, requireAccepted } from '../../toolkit/expectations.ts'
import { playToSuccess } from '../../toolkit/expected-effect.ts'
import { createMessages } from '../../toolkit/golden-message.ts'
import { named, shiftTimes } from '../../toolkit/messages.ts'
import { checkEffects, sendFirst } from '../../toolkit/payment-outcome.ts'
import { playScenarios, reachMessages, type PlayedScenario } from '../../toolkit/scenario.ts'
import { ACTED_AGAIN } from './kills.ts'
import { unobservedEffects } from '../../toolkit/unobserved.ts'

export const outageChecks: readonly ReceiverCheck[] = [
  {
    id: 'recovery/resent-after-outage',
    severity: 'should',
    requirement:
      'The receiver accepts a manual resend after all retries, and does not go back to an earlier state.',
    lines: [343, 344, 345],
    readings: ['retry-window', 'retry-body'],
    needs: ['process', 'effects'],
    alone: true,
    meaning:
      'After a long outage, the operator sends failed notifications again, days old and out of order. The receiver must accept late notifications, and must not reopen paid orders.',
    remedy: 'Accept notifications of any age, but never move a payment back to an earlier state.',
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
      'A retry can come seven hours after the change, and a manual resend days after the change. A receiver that rejects old notifications rejects exactly the missed notifications, and never acts on their payments.',
    remedy: 'If a notification is signed, check the age of the signature. Never check the age of updated_at.',
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
      'An accepted notification is never sent again. Work in memory is lost with the process at every deployment. The platform never acts on the payments whose work was lost.',
    remedy:
      'Write the notification to durable storage before you answer. After a start, resume work on unfinished notifications.',
    explanations: ACTED_AGAIN,
    run: checkKillAfterAnswer,
  },
]

function placeBeforeLast({ parts }: Branch): number {
  return parts.findLastIndex(({ isLast }) => !isLast)
}

async function checkLongOutage(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const moving = onePerType(branches.filter((branch) => placeBeforeLast(branch) >= 0))
  const scenarios = moving.map((branch) => {
    const earlier = [...branch.parts.keys()].filter((index) => branch.parts[index]?.isLast === false)
    return { branch, sequence: oneByOne(...earlier.slice(0, -1)) }
  })
  const played = await playScenarios(context, scenarios)
  const first = played.map(({ sent }) => requireAccepted(...sent)).find((finding) => finding !== undefined)
  if (first) return first

  const missed = await missMessages(context, played)
  if (!Array.isArray(missed)) return missed
  const newer = await Array.fromAsync(played, async ({ branch, play }) => {
    const messages = await reachMessages(branch, play, branch.parts.length - 1)
    return finalPlaces(branch).flatMap((index) => messages[index] ?? [])
  })
  const parts = played.map((each, index) => sendRest(context, each, [newer[index] ?? [], missed[index]]))
  return combineFindings(await Promise.all(parts), unobserved)
}

/** Sends messages to a stopped process. Returns a finding if a message is missing or the stopped process answered. */
async function missMessages(context: CheckContext, played: readonly PlayedScenario[]) {
  const missed: Message[] = []
  for (const { branch, play } of played) {
    const place = placeBeforeLast(branch)
    const message = (await reachMessages(branch, play, place))[place]
    if (!message) return notObservable(`the receiver is not notified of an early state of ${branch.kind}`)
    missed.push(message)
  }
  await context.rest()
  await context.process.stop()
  const sent = await Promise.all(
    missed.map((message) => context.sendUntilAccepted(named(message, 'while the receiver is down'))),
  )
  await context.process.start()
  return sent.some(isReached)
    ? controlFailed('the receiver still answered after process.stop', { exchanges: sent.filter(isReached) })
    : missed
}

async function sendRest(
  context: CheckContext,
  played: PlayedScenario,
  [newer, old]: readonly [newer: readonly Message[], old: Message | undefined],
) {
  const sent = await Array.fromAsync(newer, (message) => context.sendUntilAccepted(message))
  const again = old && named(old, 'sent again by hand')
  if (again) sent.push(await context.send(again))
  const { branch } = played
  const last = describeSequence(oneByOne(...finalPlaces(branch)), branch)
  const because = `when the notification of ${branch.kind} after an outage is ${last}, then ${again?.label}`
  return expectAccepted(...sent) ?? checkEffects(context, played, because)
}

const HOUR_MS = 3_600_000
const AGES = [
  ['25 hours old', 25 * HOUR_MS],
  ['8 days old', 8 * 24 * HOUR_MS],
] as const

async function checkOldTimestamps(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const parts: (() => Promise<Finding | undefined>)[] = []
  for (const [age, ms] of AGES) {
    const send = async (message: Message) =>
      expectAccepted(await context.send(named(shiftTimes(message, ms), age)))
    for (const each of await playToSuccess(context, onePerType(branches)))
      parts.push(
        async () => (await send(each.message)) ?? checkEffects(context, each, `with a state that is ${age}`),
      )
    for (const message of await createMessages(context, ['items', 'users'])) parts.push(() => send(message))
  }
  const findings = await Promise.all(parts.map((part) => part()))
  return combineFindings(findings, unobservedEffects(context), unobserved)
}

async function checkKillAfterAnswer(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await playToSuccess(context, onePerType(branches))
  const sent = await Promise.all(finished.map(({ message }) => context.send(message)))
  await context.process.stop()
  await context.process.start()
  const first = requireAccepted(...sent)
  if (first) return first
  const because = 'although the receiver was stopped and started right after its answer'
  const findings = finished.map((each) => checkEffects(context, each, because))
  return combineFindings(await Promise.all(findings), unobserved)
}

export const missedNotificationChecks: readonly ReceiverCheck[] = [
  {
    id: 'recovery/missed-notifications',
    severity: 'should',
    requirement:
      'After an outage that lasts longer than all retries, the platform finds the missed notifications and corrects its books.',
    lines: [259, 283, 332, 343, 345],
    readings: ['retry-window'],
    needs: ['effects', 'reconcile'],
    alone: true,
    meaning:
      'After the last retry, the service never sends a failed notification again. Only a platform that asks the service learns that money has moved. The customer has paid and gets nothing.',
    remedy:
      'List the failed jobs of each webhook on a schedule, and read all pages of the list. Ask the service for each object, and proceed as if its notification had just arrived. Act once for each state of an object, even if you see the same state again.',
    run: checkMissed,
  },
]

/** The number of payments of each kind. With this number of payments, the list of failed jobs needs several pages of ten jobs. */
const TIMES = 3

async function checkMissed(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'all')
  if (branches.length === 0) return combineFindings([], unobserved)
  const outage = await context.service.beginOutage(context.receiver.types())
  if (outage.obstacle !== undefined)
    return notObservable(`The service could not register the receiver: ${outage.obstacle}`)

  const good = branches.filter(({ effects }) => effects === 1)
  const known = await playToSuccess(context, good)
  // The receiver's answer is lost. The receiver acts on the payment, and the service counts the delivery as failed.
  const dress = (message: Message) => named(message, 'with a lost answer')
  const { firsts: controls, acted } = await sendFirst(context, known, dress)
  if (acted.length === 0) return combineFindings(controls, unobserved)
  const repeated = acted.flatMap(({ branch }) => Array.from({ length: TIMES }, () => branch))
  const bad = branches.filter(({ effects }) => effects === 0)
  const missed = await playToSuccess(context, [...repeated, ...bad])
  const count = await outage.outlast()
  const findings = [...controls]
  for (const when of ['once', 'twice'] as const) {
    const problem = await context.reconcile.run()
    const objects = missed.map(({ target }) => target)
    if (problem !== undefined)
      findings.push(failed('a successful run of the command or URL in "reconcile"', problem, { objects }))
    const because = `after an outage with ${count} failed jobs, when the platform looked ${when} for missed notifications`
    const seen = [...missed, ...acted].map((each) => checkEffects(context, each, because))
    findings.push(...(await Promise.all(seen)))
    if (findings.some((finding) => finding?.kind === 'failed')) break
  }
  return combineFindings(findings, unobserved)
}
