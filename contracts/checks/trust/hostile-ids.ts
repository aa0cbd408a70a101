import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import {
  combineFindings,
  failed,
  notObservable,
  unreachable,
  type Exchange,
  type Finding,
  type ObjectRef,
} from '../../finding.ts'
import { describeExchange, isReached, requireAccepted } from '../../toolkit/expectations.ts'
import { replaceId } from '../../toolkit/messages.ts'

export const hostileIdsCheck: ReceiverCheck = {
  id: 'trust/hostile-ids',
  severity: 'must',
  requirement: 'The receiver puts an id into a path as one encoded segment, or does not ask for it.',
  lines: [56],
  readings: ['user-ids', 'show-operations'],
  needs: ['calls'],
  negative: true,
  // A call of no known object cannot be told from one that another check has caused.
  alone: true,
  meaning:
    'Ids can be any text. With "../" or "?" in one, a forged notification chooses which address is asked with your token: another payment that did succeed vouches for one that did not.',
  remedy:
    'Use encodeURIComponent on the id, refuse "." and "..", and see that the object that comes back has that id.',
  run: hostileIds,
}

interface Trap {
  readonly message: Message
  /** What is asked for if the id is taken apart; nothing has told the receiver of it. */
  readonly bait: ObjectRef | undefined
}

async function hostileIds(context: CheckContext): Promise<Finding> {
  const types = context.receiver.types()
  const type = (['users', 'items'] as const).find((each) => types.includes(each))
  if (!type) return notObservable('It has no URL for users or items')
  const blind = await neverAsked(context, type)
  if (blind) return blind

  const before = new Set((await context.calls.strays()).map(({ id }) => id))
  const traps = await trapsFor(context, type)
  const sent = await Promise.all(traps.map(({ message }) => context.send(message)))
  // By the time at which it asks for a later object it has asked for the earlier ones.
  await neverAsked(context, type)
  const parts = await Promise.all(traps.map((trap, index) => caught(context, trap, sent[index])))
  const strays = await context.calls.strays()
  const ids = new Set(traps.map(({ message }) => message.id))
  const astray = strays.find(
    ({ id, operation, object_id }) =>
      !before.has(id) && (operation === null || isPieceOf(ids, object_id)) && !ids.has(object_id ?? ''),
  )
  return combineFindings([
    ...parts,
    astray && failed('no call but for the whole id', `a call of ${astray.path}`, { exchanges: sent }),
  ])
}

/** Not observable if it does not even ask for an object whose id is harmless. */
async function neverAsked(context: CheckContext, type: 'users' | 'items'): Promise<Finding | undefined> {
  const message = context.messageFor(await context.service.create(type))
  const refused = requireAccepted(await context.send(message, { label: `${message.label}, harmless` }))
  if (refused) return refused
  const calls = await context.calls.settle(message)
  return calls.length > 0 ? undefined : notObservable(`It does not ask for ${type}`)
}

const LONG = 2_048

async function trapsFor(context: CheckContext, type: 'users' | 'items'): Promise<readonly Trap[]> {
  const message = context.messageFor(await context.service.create(type))
  const ways: readonly ((bait: string) => string)[] = [
    (bait) => `a/../${bait}`,
    (bait) => `a/../${bait}?x=y#z`,
    (bait) => `../${type}/${bait}`,
    (bait) => `%2e%2e/${type}/${bait}`,
    (bait) => `${bait}?x=y`,
    (bait) => `${bait}#z`,
  ]
  const traps: Trap[] = []
  for (const way of ways) {
    const { id } = await context.service.create(type)
    traps.push({ message: named(message, way(id)), bait: { type, id } })
  }
  const others = ['..', 'q'.repeat(LONG)].map((id) => ({ message: named(message, id), bait: undefined }))
  return [...traps, ...others]
}

const SHOWN = 60

function named(message: Message, id: string): Message {
  const shown = id.length > SHOWN ? `${id.slice(0, SHOWN)}… (${id.length} characters)` : id
  return { ...replaceId(message, id), label: `${message.type} with the id ${shown}` }
}

async function caught(
  context: CheckContext,
  { message, bait }: Trap,
  sent: Exchange | undefined,
): Promise<Finding | undefined> {
  if (sent && !isReached(sent)) return unreachable(describeExchange(sent), sent)
  if (!bait) return undefined
  const [call] = await context.calls.about(bait)
  const evidence = { exchanges: sent ? [sent] : [], objects: [bait] }
  return call && failed(`no call, or one for the whole id ${message.id}`, `a call of ${call.path}`, evidence)
}

/** A beginning of a long id that was cut off. */
function isPieceOf(ids: ReadonlySet<string>, id: string | null): boolean {
  return id !== null && id.length > SHOWN && [...ids].some((whole) => whole.startsWith(id))
}
