import type { Generation } from '../../../spec/delivery.ts'
import type { CheckContext, Notice, ReceiverCheck } from '../../toolkit/check-context.ts'
import { branchesOf, onePerType } from '../../toolkit/branches.ts'
import { failed, unreachable, type Finding } from '../../finding.ts'
import { acceptedAll, acceptedFirst, isAccepted, isReached, sendAll, told } from '../../toolkit/judge.ts'
import type { Sent } from '../../toolkit/sent.ts'
import { documented } from '../../toolkit/sequences.ts'
import { summed } from '../../toolkit/summed.ts'
import { misacted, tell, type Told } from '../../toolkit/tell.ts'
import { lastPlayed, unseenEffects, type Finished } from '../finished.ts'

export const repetitionChecks: readonly ReceiverCheck[] = [
  {
    id: 'idempotency/same-delivery-again',
    severity: 'must',
    requirement: 'The receiver accepts a delivery that it knows already, and does not act on it again.',
    lines: [297, 343, 344],
    readings: ['delivery-success', 'retry-body'],
    uses: ['effects'],
    meaning:
      'An answer can be lost on its way; then the service sends the same bytes again, up to a day later. Goods are released, or a payout is booked, once for each copy.',
    remedy:
      'Keep which object and which state you have acted on, in the transaction that acts, under a unique key. What is known already is answered 2xx and changes nothing.',
    run: sameDeliveryAgain,
  },
  {
    id: 'idempotency/same-delivery-at-once',
    severity: 'must',
    requirement: 'The receiver acts once on a delivery that arrives ten times at the same moment.',
    lines: [297],
    readings: ['delivery-success', 'retry-body'],
    uses: ['effects'],
    meaning:
      'A retry can overtake the attempt that is still being worked on. Between looking whether it was done and doing it there is room for both: the money is spent twice.',
    remedy:
      'Let the database decide: a unique key on object and state, or a lock on its row, taken before acting. The one that comes second waits, or is answered 409 or 429.',
    run: sameDeliveryAtOnce,
  },
  {
    id: 'idempotency/both-generations',
    severity: 'must',
    requirement: 'The receiver acts once on a change of which both a callback and a webhook tell.',
    lines: [11, 351],
    needs: ['callbacks', 'effects'],
    meaning:
      'In pre-live every type is registered in both generations, so each change is told twice. With a memory for each of them, everything is paid out twice.',
    remedy: 'Let both URLs end in the same handler, with the same record of what was acted on.',
    run: bothGenerations,
  },
]

const TIMES = 3

async function sameDeliveryAgain(context: CheckContext): Promise<Finding> {
  const { branches, unseen } = branchesOf(context, 'good')
  const tales = branches.map((branch) => ({ branch, sequence: documented(branch) }))
  const payments = await Promise.all((await tell(context, tales)).map((each) => againInTurn(context, each)))
  const records = await recordsAgain(context)
  return summed([...payments, ...records], unseenEffects(context, unseen))
}

async function againInTurn(
  context: CheckContext,
  { branch, play, sent }: Told,
): Promise<Finding | undefined> {
  const first = acceptedFirst(...sent)
  if (first) return first
  const types = new Set(branch.parts.map(({ type }) => type))
  const own = play.notices.filter(({ type }) => types.has(type))
  const again = await sendAll(context, own.flatMap(repeated))
  return (
    acceptedAll(...again) ?? misacted(context, { branch, play }, `although ${branch.kind} was notified again`)
  )
}

/** The types of which no payment tells. */
async function recordsAgain(context: CheckContext): Promise<readonly (Finding | undefined)[]> {
  const notices: Notice[] = []
  for (const type of ['items', 'users', 'accounts', 'companies'] as const) {
    if (context.receiver.types().includes(type))
      notices.push(context.noticeOf(await context.world.create(type)))
  }
  return Promise.all(
    notices.map(async (notice) => {
      const first = acceptedFirst(await context.send(notice))
      return first ?? acceptedAll(...(await sendAll(context, repeated(notice))))
    }),
  )
}

function repeated(notice: Notice): readonly Notice[] {
  return Array.from({ length: TIMES }, (_, index) => ({
    ...notice,
    label: `${notice.label}, again (${index + 1})`,
  }))
}

const AT_ONCE = 10

async function sameDeliveryAtOnce(context: CheckContext): Promise<Finding> {
  const { branches, unseen } = branchesOf(context, 'good')
  const finished = await lastPlayed(context, onePerType(branches))
  const parts = await Promise.all(finished.map((each) => atOnce(context, each)))
  return summed(parts, unseenEffects(context, unseen))
}

async function atOnce(context: CheckContext, finished: Finished): Promise<Finding | undefined> {
  const { notice, branch } = finished
  const copies = Array.from({ length: AT_ONCE }, (_, index) => `${notice.label}, copy ${index + 1}`)
  const sent = await Promise.all(copies.map((label) => context.send(notice, { label })))
  const finding = toleratedAll(sent)
  if (finding) return finding
  if (!sent.every(isAccepted)) {
    const later = acceptedAll(await context.sendUntilAccepted(notice, { label: `${notice.label}, later` }))
    if (later) return later
  }
  return misacted(context, finished, `although ${branch.kind} was notified ${AT_ONCE} times at once`)
}

/** Only "not now" is as good as success while another copy is being worked on. */
function toleratedAll(sent: readonly Sent[]): Finding | undefined {
  const lost = sent.find((one) => !isReached(one))
  if (lost) return unreachable(told(lost))
  const wrong = sent.find((one) => !isAccepted(one) && one.status !== 409 && one.status !== 429)
  return (
    wrong && failed(`an answer from 200 to 299, or 409 or 429, to each of ${sent.length} copies`, told(wrong))
  )
}

/** In which generations a change is told of, one group after the other. */
const WAYS: readonly (readonly (readonly Generation[])[])[] = [
  [['callbacks'], ['webhooks']],
  [['webhooks'], ['callbacks']],
  [['callbacks', 'webhooks']],
]

async function bothGenerations(context: CheckContext): Promise<Finding> {
  const { branches, unseen } = branchesOf(context, 'good')
  const both = branches.filter(({ parts }) =>
    parts.every(({ type }) => context.receiver.types('callbacks').includes(type)),
  )
  const chosen = onePerType(both)
  const finished = await lastPlayed(
    context,
    WAYS.flatMap(() => chosen),
  )
  const parts = finished.map((each, index) => ({ each, way: WAYS[Math.floor(index / chosen.length)] ?? [] }))
  return summed(await Promise.all(parts.map(({ each, way }) => toldBothWays(context, each, way))), unseen)
}

async function toldBothWays(
  context: CheckContext,
  finished: Finished,
  way: readonly (readonly Generation[])[],
): Promise<Finding | undefined> {
  const { notice, branch } = finished
  const sent: Sent[] = []
  for (const group of way) {
    const label = (generation: Generation) => `${notice.label}, by ${generation}`
    const fresh = group.map((generation) => context.send(notice, { generation, label: label(generation) }))
    sent.push(...(await Promise.all(fresh)))
  }
  const order = way.map((group) => group.join(' and ')).join(', then ')
  return toleratedAll(sent) ?? misacted(context, finished, `although ${branch.kind} was notified by ${order}`)
}
