import type { CheckContext, Notice, ReceiverCheck } from '../../toolkit/check-context.ts'
import { branchesOf } from '../../toolkit/branches.ts'
import { failed, notObservable, unreachable, type Finding } from '../../finding.ts'
import { isReached, told } from '../../toolkit/judge.ts'
import { inTurn } from '../../toolkit/sequences.ts'
import { summed } from '../../toolkit/summed.ts'
import { misjudged, tell, type Told } from '../../toolkit/tell.ts'

export const lookupChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/asks-back',
    severity: 'should',
    requirement: 'The receiver asks the service for the object of each notification, by its id.',
    lines: [283],
    readings: ['show-operations'],
    needs: ['calls'],
    meaning:
      'A notification is not signed: whoever learns the URL can claim that a payment has succeeded. What the service itself shows cannot be forged by a sender.',
    remedy:
      'Take only the type and the id from the notification, fetch the object with your own token, and act on that.',
    run: asksBack,
  },
  {
    id: 'trust/virtual-account-status',
    severity: 'must',
    requirement:
      'The receiver fetches a virtual account whose status changed, and tells an active one from a failed one.',
    lines: [238, 239, 322, 323, 324],
    readings: ['virtual-account-show'],
    needs: ['calls', 'effects'],
    meaning:
      'The notification only says that the status changed, not to what. Who takes it for "active" hands out account numbers that take no money, and customers pay into nowhere.',
    remedy:
      'Fetch the virtual account by its id and read its status; act on active, and report activation_failed.',
    run: virtualAccountStatus,
  },
]

async function asksBack(context: CheckContext): Promise<Finding> {
  const notices: Notice[] = []
  for (const type of context.receiver.types())
    notices.push(context.noticeOf(await context.world.create(type)))
  if (notices.length === 0) return notObservable('It has no URL')
  return summed(await Promise.all(notices.map((notice) => notAsked(context, notice))))
}

async function notAsked(context: CheckContext, notice: Notice): Promise<Finding | undefined> {
  const sent = await context.send(notice)
  if (!isReached(sent)) return unreachable(told(sent))
  const calls = await context.calls.settle(notice)
  if (calls.length > 0) return undefined
  return failed(`a call for ${notice.type} ${notice.id}`, `no call for it, although ${told(sent)}`)
}

async function virtualAccountStatus(context: CheckContext): Promise<Finding> {
  const { branches, unseen } = branchesOf(context, 'all', ['virtual-account-activation'])
  // Twice, for what comes again changes nothing here either.
  const tales = branches.map((branch) => ({ branch, sequence: inTurn(0, 0) }))
  const parts = await Promise.all((await tell(context, tales)).map((each) => notFetched(context, each)))
  return summed(parts, unseen)
}

async function notFetched(context: CheckContext, each: Told): Promise<Finding | undefined> {
  const wrong = await misjudged(context, each)
  const target = each.play.notices.find(({ type }) => type === 'virtual_accounts')
  if (wrong || !target) return wrong
  const calls = await context.calls.settle(target)
  if (calls.length > 0) return undefined
  return failed(
    `a call for virtual_accounts ${target.id}, which became ${each.branch.outcome}`,
    'no call for it',
  )
}
