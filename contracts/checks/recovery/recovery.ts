import { earlierBy } from '../../toolkit/altered.ts'
import type { CheckContext, Notice, ReceiverCheck } from '../../toolkit/check-context.ts'
import { branchesOf, onePerType, type Branch } from '../../toolkit/branches.ts'
import { controlFailed, notObservable, type Finding } from '../../finding.ts'
import { acceptedAll, acceptedFirst, isReached } from '../../toolkit/judge.ts'
import { inTurn, inWords } from '../../toolkit/sequences.ts'
import { summed } from '../../toolkit/summed.ts'
import { misacted, reachNotices, tell, type Told } from '../../toolkit/tell.ts'
import { lastPlayed, unseenEffects } from '../finished.ts'

export const recoveryChecks: readonly ReceiverCheck[] = [
  {
    id: 'recovery/down-for-the-whole-ladder',
    severity: 'should',
    requirement:
      'The receiver takes a notification that was sent again by hand after all retries, and goes back to no earlier state.',
    lines: [343, 344, 345],
    readings: ['retry-window', 'retry-body'],
    needs: ['process', 'effects'],
    alone: true,
    meaning:
      'After an outage of more than a day the operator sends again what failed, days old and out of order. It must neither be refused nor turn paid orders back into open ones.',
    remedy: 'Accept notifications of any age, and move a payment forward only.',
    run: downForTheWholeLadder,
  },
  {
    id: 'recovery/old-timestamps',
    severity: 'must',
    requirement: 'The receiver accepts a notification whose object was last changed a day or a week ago.',
    lines: [343, 344, 345],
    readings: ['retry-window', 'retry-body'],
    uses: ['effects'],
    meaning:
      'The last retry comes a day after the change, and one by hand later still. A receiver that refuses what is old refuses exactly those that it has missed: the payment is never acted on.',
    remedy: 'Judge the age of a signature if there is one, never that of updated_at.',
    run: oldTimestamps,
  },
  {
    id: 'recovery/kill-after-answer',
    severity: 'should',
    requirement: 'The receiver acts on what it has accepted, even if it is stopped right after its answer.',
    lines: [297],
    readings: ['delivery-success'],
    needs: ['process', 'effects'],
    alone: true,
    meaning:
      'What is accepted is never sent again. Work that waits in memory is gone with the process, at every deployment: payments that succeeded and were never acted on.',
    remedy:
      'Write the notification down, durably, before you answer; take up after a start what is written and not done.',
    run: killAfterAnswer,
  },
]

async function downForTheWholeLadder(context: CheckContext): Promise<Finding> {
  const { branches, unseen } = branchesOf(context, 'good')
  const moving = onePerType(branches.filter(({ parts }) => earlyPlaces(parts).length > 0))
  const tales = moving.map((branch) => ({
    branch,
    sequence: inTurn(...earlyPlaces(branch.parts).slice(0, -1)),
  }))
  const told = await tell(context, tales)
  const first = told.map(({ sent }) => acceptedFirst(...sent)).find((finding) => finding !== undefined)
  if (first) return first

  const missed = await missedWhileDown(context, told)
  if (!Array.isArray(missed)) return missed
  const parts: (Finding | undefined)[] = []
  for (const [index, each] of told.entries()) {
    const rest = await restAfter(each, missed[index])
    parts.push(await cameBack(context, each, rest))
  }
  return summed(parts, unseen)
}

function earlyPlaces(parts: Branch['parts']): readonly number[] {
  return [...parts.keys()].filter((index) => parts[index]?.isLast === false)
}

/** The last early state of each payment, whose delivery has failed for good; or why it has not. */
async function missedWhileDown(context: CheckContext, told: readonly Told[]): Promise<Notice[] | Finding> {
  const missed: Notice[] = []
  for (const { branch, play } of told) {
    const place = earlyPlaces(branch.parts).at(-1) ?? 0
    const notice = (await reachNotices(branch, play, place))[place]
    if (!notice) return notObservable(`It is not told of an early state of ${branch.kind}`)
    missed.push(notice)
  }
  // It goes down with what it was told until then, not in the middle of it.
  await context.rest()
  await context.process.stop()
  const sent = await Promise.all(
    missed.map((notice) => context.sendUntilAccepted(notice, { label: `${notice.label}, while it is down` })),
  )
  await context.process.start()
  return sent.some(isReached) ? controlFailed('it still answered after process.stop') : missed
}

interface Rest {
  readonly newer: readonly Notice[]
  readonly old: Notice | undefined
}

async function restAfter({ branch, play }: Told, old: Notice | undefined): Promise<Rest> {
  const places = [...branch.parts.keys()].filter((index) => branch.parts[index]?.isLast)
  const notices = await reachNotices(branch, play, branch.parts.length - 1)
  return { newer: places.flatMap((index) => notices[index] ?? []), old }
}

async function cameBack(
  context: CheckContext,
  told: Told,
  { newer, old }: Rest,
): Promise<Finding | undefined> {
  const sent = []
  for (const notice of newer) sent.push(await context.sendUntilAccepted(notice))
  const label = `${old?.label}, sent again by hand`
  if (old) sent.push(await context.send(old, { label }))
  const { branch } = told
  const last = inTurn(...[...branch.parts.keys()].filter((index) => branch.parts[index]?.isLast))
  const because = `when ${branch.kind} is notified as ${inWords(last, branch)} after an outage, then ${label}`
  return acceptedAll(...sent) ?? misacted(context, told, because)
}

const HOUR_MS = 3_600_000
const AGES = [
  { name: '25 hours', ms: 25 * HOUR_MS },
  { name: '8 days', ms: 8 * 24 * HOUR_MS },
] as const

async function oldTimestamps(context: CheckContext): Promise<Finding> {
  const { branches, unseen } = branchesOf(context, 'good')
  const chosen = onePerType(branches)
  const parts: (() => Promise<Finding | undefined>)[] = []
  for (const { name, ms } of AGES) {
    for (const each of await lastPlayed(context, chosen)) {
      const old = { ...earlierBy(each.notice, ms), label: `${each.notice.label}, ${name} old` }
      parts.push(
        async () =>
          acceptedAll(await context.send(old)) ?? misacted(context, each, `whose news is ${name} old`),
      )
    }
    for (const type of ['items', 'users'] as const) {
      if (!context.receiver.types().includes(type)) continue
      const notice = context.noticeOf(await context.world.create(type))
      const old = { ...earlierBy(notice, ms), label: `${notice.label}, ${name} old` }
      parts.push(async () => acceptedAll(await context.send(old)))
    }
  }
  return summed(await Promise.all(parts.map((part) => part())), unseenEffects(context, unseen))
}

async function killAfterAnswer(context: CheckContext): Promise<Finding> {
  const { branches, unseen } = branchesOf(context, 'good')
  const finished = await lastPlayed(context, onePerType(branches))
  const sent = await Promise.all(finished.map(({ notice }) => context.send(notice)))
  await context.process.stop()
  await context.process.start()
  const first = acceptedFirst(...sent)
  if (first) return first
  const because = 'which was accepted right before the receiver was stopped and started'
  return summed(await Promise.all(finished.map((each) => misacted(context, each, because))), unseen)
}
