import type { RequestRecord } from '../../../spec/generated/control-types.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import {
  combineFindings,
  failed,
  notObservable,
  type Exchange,
  type Finding,
  type ObjectRef,
} from '../../finding.ts'
import { requireAccepted, requireReached } from '../../toolkit/expectations.ts'
import { named, replaceId } from '../../toolkit/messages.ts'

export const hostileIdChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/hostile-ids',
    severity: 'must',
    requirement: 'The receiver puts an id into a path as one encoded segment, or does not ask for that id.',
    lines: [56],
    readings: ['user-ids', 'show-operations'],
    needs: ['calls'],
    negative: true,
    // Concurrent checks could also cause calls about unknown objects, so the check runs alone.
    alone: true,
    meaning:
      'An id can be any text. A forged id with "../" or "?" can choose the address that you call with your token. A failed payment then looks successful.',
    remedy:
      'Percent-encode the id, including slashes, as one segment of the path. Reject the ids "." and "..", and check that the fetched object has the id from the notification.',
    run: checkHostileIds,
  },
]

interface HostileId {
  readonly message: Message
  /** The object that the receiver would ask for if it put the id into a path without encoding. */
  readonly neighbour: ObjectRef | undefined
}

async function checkHostileIds(context: CheckContext): Promise<Finding> {
  const types = context.receiver.types()
  const type = (['users', 'items'] as const).find((each) => types.includes(each))
  if (!type) return notObservable('the receiver has no URL for users or items')
  const blind = await requireCall(context, type)
  if (blind) return blind

  const before = new Set((await context.calls.strays()).map(({ id }) => id))
  const hostileIds = await makeHostileIds(context, type)
  const sent = await Promise.all(hostileIds.map(({ message }) => context.send(message)))
  // A call about a later object shows that the receiver has processed the earlier objects.
  await requireCall(context, type)
  const parts = await Promise.all(
    hostileIds.map((hostile, index) => checkNeighbour(context, hostile, sent[index])),
  )
  const strays = await context.calls.strays()
  const ids = new Set(hostileIds.map(({ message }) => message.id))
  const astray = strays.find(
    ({ id, operation, object_id }) =>
      !before.has(id) && (operation === null || isPrefixOfAny(ids, object_id)) && !ids.has(object_id ?? ''),
  )
  return combineFindings([...parts, astray && failedAstray(astray, hostileIds, sent)])
}

/** Returns a failure with the notification that caused the call. Finds the notification by the id or path of the call. */
function failedAstray(call: RequestRecord, hostileIds: readonly HostileId[], sent: readonly Exchange[]) {
  const { path, object_id } = call
  const cause = hostileIds.findIndex(({ message: { type, id } }) => {
    // The path that a receiver requests if it does not encode the id.
    const { pathname, search } = new URL(`http://127.0.0.1/${type}/${id}`)
    return (object_id !== null && id.startsWith(object_id)) || pathname + search === path
  })
  const exchanges = cause === -1 ? sent : sent.slice(cause, cause + 1)
  const evidence = { exchanges, calls: [call], field: 'id' }
  return failed('no call except with the complete id', `a call to ${path}`, evidence)
}

async function requireCall(context: CheckContext, type: 'users' | 'items'): Promise<Finding | undefined> {
  const message = await context.service.create(type)
  const refused = requireAccepted(await context.send(named(message, 'harmless')))
  if (refused) return refused
  const calls = await context.calls.settle(message)
  return calls.length > 0 ? undefined : notObservable(`the receiver does not ask for ${type}`)
}

const LONG = 2_048

async function makeHostileIds(context: CheckContext, type: 'users' | 'items'): Promise<readonly HostileId[]> {
  const message = await context.service.create(type)
  const ways: readonly ((neighbour: string) => string)[] = [
    (neighbour) => `a/../${neighbour}`,
    (neighbour) => `a/../${neighbour}?x=y#z`,
    (neighbour) => `../${type}/${neighbour}`,
    (neighbour) => `%2e%2e/${type}/${neighbour}`,
    (neighbour) => `${neighbour}?x=y`,
    (neighbour) => `${neighbour}#z`,
  ]
  const hostileIds = await Array.fromAsync(ways, async (way) => {
    const { id } = await context.service.create(type)
    return { message: renameMessage(message, way(id)), neighbour: { type, id } }
  })
  const others = ['..', 'q'.repeat(LONG)].map((id) => renameMessage(message, id))
  return [...hostileIds, ...others.map((other) => ({ message: other, neighbour: undefined }))]
}

const SHOWN = 60

function renameMessage(message: Message, id: string): Message {
  const shown = id.length > SHOWN ? `${id.slice(0, SHOWN)}… (${id.length} characters)` : id
  return { ...replaceId(message, id), label: `${message.type} with the id ${shown}` }
}

async function checkNeighbour(
  context: CheckContext,
  { message, neighbour }: HostileId,
  sent: Exchange | undefined,
): Promise<Finding | undefined> {
  const exchanges = sent ? [sent] : []
  const lost = requireReached(...exchanges)
  if (lost || !neighbour) return lost
  const [call] = await context.calls.about(neighbour)
  const evidence = { exchanges, objects: [neighbour], field: 'id' }
  return (
    call &&
    failed(`no call, or a call with the complete id ${message.id}`, `a call to ${call.path}`, evidence)
  )
}

/** Returns true if the id is a prefix of one of these ids: a receiver may truncate long ids. */
function isPrefixOfAny(ids: ReadonlySet<string>, id: string | null): boolean {
  return id !== null && id.length > SHOWN && [...ids].some((whole) => whole.startsWith(id))
}
