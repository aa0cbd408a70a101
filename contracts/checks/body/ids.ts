import type { NotifiedType } from '../../../spec/notifications.ts'
import type { CheckContext, Notice, ReceiverCheck } from '../../toolkit/check-context.ts'
import { failed, PASSED, type Finding } from '../../finding.ts'
import { freshNumber } from '../../toolkit/golden.ts'
import { acceptedAll, acceptedFirst, sendAll } from '../../toolkit/judge.ts'
import { butUnseen, lacking, noUrlFor, typesAmong } from '../../toolkit/unseen.ts'

const TYPES = ['users', 'accounts'] as const

export const oddIds: ReceiverCheck = {
  id: 'body/odd-ids',
  severity: 'must',
  requirement: 'The receiver takes ids that are numbers, or any text, and asks back by exactly that id.',
  lines: [56],
  readings: ['delivery-success', 'user-ids'],
  uses: ['calls'],
  meaning:
    'Whoever was given an id of their own is unknown to the receiver: their payments are refused, or booked on somebody else.',
  remedy: 'Keep ids as text, whatever they look like, and percent-encode them where they stand in a path.',
  run: asksByOddIds,
}

async function asksByOddIds(context: CheckContext): Promise<Finding> {
  const types = typesAmong(context, TYPES)
  if (types.length === 0) return noUrlFor(TYPES)
  const usual = []
  if (types.includes('users')) usual.push(context.noticeOf(await context.world.create('users')))
  const odd = await oddNotices(context, types)
  const refused =
    acceptedFirst(...(await sendAll(context, usual))) ?? acceptedAll(...(await sendAll(context, odd)))
  if (refused) return refused
  if (!context.calls.observable) return butUnseen(PASSED, lacking(context, TYPES), 'its calls to the service')
  const asked: NotifiedType[] = []
  for (const notice of usual) if (await isAskedFor(context, notice)) asked.push(notice.type)
  for (const notice of odd.filter(({ type }) => type === 'accounts' || asked.includes(type))) {
    if (await isAskedFor(context, notice)) asked.push(notice.type)
    else if (asked.includes(notice.type)) return unasked(notice)
  }
  const ignored = types.filter((type) => !asked.includes(type))
  const unseen = ignored.length > 0 ? `it does not ask the service about ${ignored.join(', ')}` : undefined
  return butUnseen(PASSED, lacking(context, TYPES), unseen)
}

/** Only of a type that it has asked for by another id can it be expected to. */
function unasked({ type, id, label }: Notice): Finding {
  return failed(
    `a call to the service about ${type} "${id}"`,
    `${label} was accepted, and no call was about that id`,
  )
}

/** Accounts can be asked for by their uuid as well. */
async function isAskedFor({ calls }: CheckContext, { type, id, body }: Notice): Promise<boolean> {
  const uuid = type === 'accounts' ? /"uuid":"([^"]+)"/.exec(body)?.[1] : undefined
  if (uuid !== undefined && (await calls.about({ type, id: uuid })).length > 0) return true
  if ((await calls.settle({ type, id })).length > 0) return true
  return uuid !== undefined && (await calls.about({ type, id: uuid })).length > 0
}

async function oddNotices(context: CheckContext, types: readonly NotifiedType[]): Promise<readonly Notice[]> {
  const { world } = context
  const number = freshNumber(context)
  const notices: Notice[] = []
  if (types.includes('users')) {
    for (const id of [`${number}`, `buyer-${number}.a@x`, `ref-${number} ä+b`]) {
      const notice = context.noticeOf(await world.create('users', { id }))
      notices.push({ ...notice, label: `users "${id}"` })
    }
  }
  if (types.includes('accounts')) {
    const notice = context.noticeOf(await world.create('accounts', { id: number + 1 }))
    notices.push({ ...notice, label: `accounts ${number + 1}` })
  }
  return notices
}
