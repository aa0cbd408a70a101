import { typesUnderOneId } from './people.ts'
import type { PaymentPlan } from '../explored-case.ts'
import { isSameObject, type ObjectRef } from '../finding.ts'
import type { CheckContext, Message, Play } from '../toolkit/check-context.ts'
import { objectInBody, replaceId, shiftTimes } from '../toolkit/messages.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

/** A change to the id or the times of an object, both in notifications and in responses of the service. */
export interface Disguise {
  readonly id: () => string | undefined
  has(types: readonly NotifiedType[], id: string): boolean
  dress(message: Message, play: Play): Message
  /** Makes the service return the object with the changed id and times. */
  show(message: Message, play: Play): Promise<void>
  target(play: Play): ObjectRef | undefined
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function createDisguise(
  context: CheckContext,
  plan: PaymentPlan,
  others: readonly Disguise[],
): Disguise {
  const { capitals, laterMs = 0, apartMs = 0, sameIdAs } = plan
  const isPlain = capitals === undefined && laterMs === 0 && apartMs === 0 && sameIdAs === undefined
  let shown: { stop(): Promise<void> } | undefined
  let name: string | undefined
  let typesOfName: readonly NotifiedType[] = []

  function nameFor(object: ObjectRef): string {
    if (name !== undefined) return name
    typesOfName = typesUnderOneId(plan, object.type)
    name = isPlain ? object.id : chooseName(object, plan, { others, types: typesOfName })
    return name
  }

  function dress(message: Message, play: Play): Message {
    if (!isSameObject(message, play.consequence)) return message
    const id = nameFor(message)
    if (isPlain) return message
    const changes = play.messages.filter((each) => isSameObject(each, play.consequence))
    const place = changes.findIndex(({ body }) => body === message.body)
    return shiftTimes(replaceId(message, id), -(laterMs + place * apartMs))
  }

  return {
    id: () => name,
    has: (types, id) => id === name && types.some((type) => typesOfName.includes(type)),
    dress,
    async show(message, play) {
      if (isPlain || !isSameObject(message, play.consequence)) return
      const { id, type, body } = dress(message, play)
      context.service.adopt({ type, id })
      const before = shown
      const parsed: unknown = JSON.parse(body)
      const fault = { kind: 'modified-show', body: { [type]: objectInBody(parsed, type) } } as const
      shown = await context.service.disturb({ type, id }, fault)
      await before?.stop()
    },
    target({ consequence }) {
      return consequence && { type: consequence.type, id: nameFor(consequence) }
    },
  }
}

/** Returns the id from the plan. Returns the real id if the planned id is unknown or already taken. */
function chooseName(
  { id }: ObjectRef,
  { sameIdAs, capitals }: PaymentPlan,
  { others, types }: { readonly others: readonly Disguise[]; readonly types: readonly NotifiedType[] },
): string {
  // Ids that are not UUIDs, such as integers, stay unchanged. Source: §2.3
  if (!UUID.test(id)) return id
  const other = sameIdAs === undefined ? undefined : others[sameIdAs]?.id()
  const taken = other !== undefined && UUID.test(other) ? other : id
  const wanted = capitals === undefined ? taken : taken.toUpperCase()
  return others.some((each) => each.has(types, wanted)) ? id : wanted
}
