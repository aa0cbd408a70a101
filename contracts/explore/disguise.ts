import { typesUnderOneId } from './people.ts'
import type { PaymentPlan } from '../explored-case.ts'
import type { ObjectRef } from '../finding.ts'
import type { CheckContext, Message, Play } from '../toolkit/check-context.ts'
import { objectInBody, replaceId, shiftTimes } from '../toolkit/messages.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

/**
 * Gives the object that is acted on another id, or other times, than the service gave it: in its notifications, and in the
 * answers of the service.
 */
export interface Disguise {
  /** The id under which the object is notified; undefined until it was dressed. */
  readonly id: () => string | undefined
  /** True if its payment has an object of one of these types under this id. */
  has(types: readonly NotifiedType[], id: string): boolean
  /** The notification as it is sent. */
  dress(message: Message, play: Play): Message
  /** Has the service show the object so from now on. */
  show(message: Message, play: Play): Promise<void>
  /** The object that is acted on, as the receiver knows it. */
  target(play: Play): ObjectRef | undefined
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `others` are those of the payments before. */
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

  function isMeant({ type, id }: ObjectRef, { consequence }: Play): boolean {
    return consequence?.type === type && consequence.id === id
  }

  function dress(message: Message, play: Play): Message {
    if (!isMeant(message, play)) return message
    const id = nameFor(message)
    if (isPlain) return message
    const changes = play.messages.filter((each) => isMeant(each, play))
    const place = changes.findIndex(({ body }) => body === message.body)
    return shiftTimes(replaceId(message, id), -(laterMs + place * apartMs))
  }

  return {
    id: () => name,
    has: (types, id) => id === name && types.some((type) => typesOfName.includes(type)),
    dress,
    async show(message, play) {
      if (isPlain || !isMeant(message, play)) return
      const { id, type, body } = dress(message, play)
      context.service.adopt({ type, id })
      const before = shown
      const parsed: unknown = JSON.parse(body)
      const match = { object_type: type, object_id: id }
      shown = await context.service.disturb({
        kind: 'modified-show',
        match,
        body: { [type]: objectInBody(parsed, type) },
      })
      await before?.stop()
    },
    target({ consequence }) {
      return consequence && { type: consequence.type, id: nameFor(consequence) }
    },
  }
}

interface OtherNames {
  readonly others: readonly Disguise[]
  /** The types of which the payment has an object under its id. */
  readonly types: readonly NotifiedType[]
}

/** The id that is wanted, unless another payment has it for one of the types. Before the first delivery of the other payment, its own. */
function chooseName(
  { id }: ObjectRef,
  { sameIdAs, capitals }: PaymentPlan,
  { others, types }: OtherNames,
): string {
  // Some ids are integers. Source: §2.3
  if (!UUID.test(id)) return id
  const other = sameIdAs === undefined ? undefined : others[sameIdAs]?.id()
  const taken = other !== undefined && UUID.test(other) ? other : id
  const wanted = capitals === undefined ? taken : taken.toUpperCase()
  return others.some((each) => each.has(types, wanted)) ? id : wanted
}
