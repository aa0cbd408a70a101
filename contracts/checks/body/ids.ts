import type { NotifiedType } from '../../../spec/notifications.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { freshNumber } from '../../toolkit/golden-message.ts'
import { PASSED, failed, withUnobserved, type Exchange, type Finding } from '../../finding.ts'
import { expectAccepted, isAccepted, requireAccepted, sendAll } from '../../toolkit/expectations.ts'
import { describeMissingUrls, noUrlFor, typesWithUrl } from '../../toolkit/unobserved.ts'

const TYPES = ['users', 'accounts'] as const

export const oddIds: ReceiverCheck = {
  id: 'body/odd-ids',
  severity: 'must',
  requirement: 'The receiver accepts ids that are numbers or any text, and asks back by exactly that id.',
  lines: [56],
  readings: ['delivery-success', 'user-ids'],
  uses: ['calls'],
  meaning:
    'Customers with an unusual id are unknown to the receiver. Their payments are rejected, or booked for another customer.',
  remedy: 'Store every id as text, and percent-encode it in a path.',
  run: checkOddIds,
}

async function checkOddIds(context: CheckContext): Promise<Finding> {
  const types = typesWithUrl(context, TYPES)
  if (types.length === 0) return noUrlFor(TYPES)
  const control = []
  if (types.includes('users')) control.push(context.messageFor(await context.service.create('users')))
  const odd = await makeOddMessages(context, types)
  const controls = await sendAll(context, control, { role: 'control' })
  const sent = controls.every(isAccepted) ? await sendAll(context, odd) : []
  const refused = requireAccepted(...controls) ?? expectAccepted(...sent)
  if (refused) return refused
  if (!context.calls.observable)
    return withUnobserved(PASSED, describeMissingUrls(context, TYPES), 'its calls to the service')
  const asked: NotifiedType[] = []
  for (const message of control) if (await isAskedFor(context, message)) asked.push(message.type)
  for (const message of odd.filter(({ type }) => type === 'accounts' || asked.includes(type))) {
    if (await isAskedFor(context, message)) asked.push(message.type)
    else if (asked.includes(message.type)) return missingCall(context, message, sent)
  }
  const ignored = types.filter((type) => !asked.includes(type))
  const unobserved =
    ignored.length > 0 ? `it does not ask the service about ${ignored.join(', ')}` : undefined
  return withUnobserved(PASSED, describeMissingUrls(context, TYPES), unobserved)
}

/** Only a receiver that asks about the same type under another id must ask here. */
async function missingCall(
  { calls }: CheckContext,
  { type, id, label }: Message,
  sent: readonly Exchange[],
): Promise<Finding> {
  const strays = await calls.strays()
  return failed(
    `a call to the service about ${type} "${id}"`,
    `${label} was accepted, and no call was about that id`,
    {
      exchanges: sent.filter(({ about }) => about?.id === id),
      calls: strays.filter(({ object_type }) => object_type === type || object_type === null),
      field: 'id',
    },
  )
}

/** Accounts also have a uuid. */
async function isAskedFor({ calls }: CheckContext, { type, id, body }: Message): Promise<boolean> {
  const uuid = type === 'accounts' ? /"uuid":"([^"]+)"/.exec(body)?.[1] : undefined
  if (uuid !== undefined && (await calls.about({ type, id: uuid })).length > 0) return true
  if ((await calls.settle({ type, id })).length > 0) return true
  return uuid !== undefined && (await calls.about({ type, id: uuid })).length > 0
}

/** Any text, with pairs that differ only in case or Unicode form. Source: §2.3 */
function oddUserIds(number: number): readonly string[] {
  const id = `ref-${number} ä+b`
  return [`${number}`, `buyer-${number}.a@x`, `Buyer-${number}.A@x`, id.normalize('NFC'), id.normalize('NFD')]
}

async function makeOddMessages(
  context: CheckContext,
  types: readonly NotifiedType[],
): Promise<readonly Message[]> {
  const { service } = context
  const number = freshNumber(context)
  const messages: Message[] = []
  if (types.includes('users')) {
    for (const id of oddUserIds(number)) {
      const message = context.messageFor(await service.create('users', { id }))
      messages.push({ ...message, label: `users "${id}"` })
    }
  }
  if (types.includes('accounts')) {
    const message = context.messageFor(await service.create('accounts', { id: number + 1 }))
    messages.push({ ...message, label: `accounts ${number + 1}` })
  }
  return messages
}
