import type {
  Message,
  Play,
  ServiceObjects,
  ServiceObject,
} from '../../../contracts/toolkit/check-context.ts'
import { createSandbox, type Sandbox } from '../../../sandbox/index.ts'
import type { Payment } from '../../../spec/generated/control-types.ts'
import { objectIds, objectState } from '../../../spec/models.ts'
import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import { plainWords } from '../../../spec/vocabulary.ts'
import { notificationBody } from '../../../sandbox/engine/notifications/body.ts'
import { isPaymentKind, paysItem, type PaymentKind } from '../../../spec/payments.ts'
import { consequenceOf, isAboutConsequence } from '../../../contracts/toolkit/consequences.ts'
import type { Consequences } from '../../../contracts/toolkit/options.ts'
import type { ObjectRef } from '../../../contracts/finding.ts'

/** A service in this process, and what is known of it. */
export interface FakeService {
  readonly service: ServiceObjects
  readonly sandbox: Sandbox
  messageFor(object: ServiceObject): Message
  /** Whether this id was made, or drawn, by somebody. */
  isKnown(id: string): boolean
}

export async function createFakeService(
  readings: Readonly<Record<string, string>> = {},
  consequences: Consequences = {},
): Promise<FakeService> {
  const heard: Message[] = []
  const known = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()
  /** What is heard meanwhile belongs to whoever has the turn. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  const receivers = Object.fromEntries(
    notifiedTypes.map((type) => [
      type,
      async (request: Request) => {
        const body = await request.text()
        if (!('message' in JSON.parse(body))) heard.push(messageFor(type, body))
        return new Response(null, { status: 200 })
      },
    ]),
  )
  const sandbox: Sandbox = await createSandbox({ seed: 1, receivers, readings })
  const service: ServiceObjects = {
    adopt: () => {},
    async create(type, fields = {}) {
      return made(type, await inTurn(() => sandbox.create(type, fields)))
    },
    async show({ type, id }) {
      return made(type, shownBy(sandbox, type, id) as never)
    },
    async change({ type, id }, fields) {
      return made(type, await inTurn(() => sandbox.change(type, id, fields as never)))
    },
    async play(kind, outcome, { amount } = {}) {
      const { item, created } = await inTurn(async () => {
        heard.splice(0)
        if (!paysItem(kind)) return { item: undefined, created: [] }
        const paid = await sandbox.create('items', amount === undefined ? {} : { amount })
        return { item: paid, created: heard.splice(0) }
      })
      const given = item ? { item: item.id } : { amount }
      const begin = () => sandbox.play(kind, { outcome, ...given, pace: 'stepwise' } as never)
      return playOf(sandbox, { kind, begin, heard, inTurn, created, consequences, onMessage })
    },
    now: () => Promise.resolve(sandbox.now().toISOString()),
    beginOutage: () => Promise.resolve({ obstacle: undefined, outlast: () => Promise.resolve(1) }),
    async advance(ms) {
      await sandbox.advance(`${ms}ms`)
      return sandbox.now().toISOString()
    },
    newId() {
      const id = `00000000-0000-4000-8000-${String(known.size).padStart(12, '0')}`
      known.add(id)
      return id
    },
    async disturb(fault) {
      const added = await sandbox.addFault({ ...fault, on: 'api' })
      return { stop: () => sandbox.removeFault(added) }
    },
  }
  function made<Type extends NotifiedType>(
    type: Type,
    body: ServiceObject<Type>['body'],
  ): ServiceObject<Type> {
    const ids = objectIds(type, body)
    for (const id of ids) known.add(id)
    return { type, id: String(body.id), body }
  }
  function onMessage(message: Message): void {
    known.add(message.id)
    for (const id of idsWithin(message)) known.add(id)
  }
  const shownAs = ({ type, body }: ServiceObject) =>
    messageFor(type, notificationBody(type, body, { translator: plainWords }))
  return { service, sandbox, messageFor: shownAs, isKnown: (id) => known.has(id) }
}

function shownBy({ data }: Pick<Sandbox, 'data'>, type: NotifiedType, id: string): object | undefined {
  const rows: readonly object[] = data[type].all()
  return rows.find((row) => idsOf(type, row).includes(id))
}

function idsOf(type: NotifiedType, row: unknown): readonly string[] {
  return objectIds(type, row as never)
}

function idsWithin({ type, body }: Message): readonly string[] {
  const whole = JSON.parse(body)
  return idsOf(type, whole[type] ?? whole)
}

function messageFor(type: NotifiedType, body: string): Message {
  const whole = JSON.parse(body)
  const state = type === 'virtual_accounts' ? null : objectState(type, whole[type])
  const label = [type, state].filter((part) => part !== null).join(' ')
  return { type, id: String((whole[type] ?? whole).id), state, label, body }
}

interface Under {
  readonly kind: PaymentKind
  readonly begin: () => Promise<Payment>
  readonly heard: Message[]
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly created: readonly Message[]
  readonly consequences: Consequences
  readonly onMessage: (message: Message) => void
}

function playOf(sandbox: Sandbox, under: Under): Play {
  const { kind, heard, created, consequences, onMessage } = under
  const messages: Message[] = [...created]
  let payment: Payment | undefined
  for (const message of created) onMessage(message)
  function take(): readonly Message[] {
    // The item follows what changes it.
    const fresh = heard.splice(0).toSorted((a, b) => Number(a.type === 'items') - Number(b.type === 'items'))
    for (const message of fresh) onMessage(message)
    messages.push(...fresh)
    return fresh
  }
  const play: Play = {
    get isOver() {
      return payment !== undefined && payment.step === payment.steps
    },
    get consequence() {
      return isPaymentKind(kind) ? findConsequence(kind, { messages, consequences }) : undefined
    },
    messages,
    async next() {
      if (play.isOver) return []
      return under.inTurn(async () => {
        heard.splice(0)
        const begun: Payment = payment ?? (await under.begin())
        payment = payment === undefined && begun.step > 0 ? begun : await sandbox.next(begun)
        return take()
      })
    },
    async finish() {
      const fresh: Message[] = []
      while (!play.isOver) fresh.push(...(await play.next()))
      return fresh
    },
  }
  return play
}

/** Known as soon as it was heard of. */
function findConsequence(
  kind: PaymentKind,
  { messages, consequences }: { readonly messages: readonly Message[]; readonly consequences: Consequences },
): ObjectRef | undefined {
  const consequence = consequenceOf(kind, consequences)
  const found = messages.find(({ type: object, body }) => {
    const { type, type_method } = JSON.parse(body)[object] ?? {}
    return isAboutConsequence({ object, ...(type_method && { type, type_method }) }, consequence)
  })
  return found && { type: found.type, id: found.id }
}
