import type { Branch } from '../toolkit/branches.ts'
import type { CheckContext, Message, Play, RawRequest } from '../toolkit/check-context.ts'
import { isAccepted } from '../toolkit/expectations.ts'
import { ownMessages, reachMessages } from '../toolkit/scenario.ts'
import type { Exchange, ObjectRef } from '../finding.ts'
import { failCallBack, type FailingCallBack } from './call-backs.ts'
import type { DeliveryPlan, ExploredCase, PaymentPlan, Wire } from '../explored-case.ts'
import { createDisguise, type Disguise } from './disguise.ts'
import { branchOf } from './fair-case.ts'
import { createPeople, freshDigits } from './people.ts'

export interface PlayedCase {
  readonly payments: readonly PlayedPayment[]
  readonly users: readonly ObjectRef[]
  readonly exchanges: readonly Exchange[]
  readonly first: readonly Exchange[]
}

export interface PlayedPayment {
  readonly plan: PaymentPlan
  readonly branch: Branch
  readonly play: Play
  readonly disguise: Disguise
  /** True if the case sent the notification on which the platform acts, and all earlier notifications of the payment. */
  readonly isReached: boolean
}

type RunningPayment = Omit<PlayedPayment, 'isReached'>

interface Sending {
  readonly delivery: Pick<DeliveryPlan, 'generation' | 'wire'>
  readonly message: Message
  readonly label: string
}

interface Sent {
  readonly sending: Sending
  exchange: Exchange
}

/** The maximum time to wait for a call that is answered only after the next delivery, in real milliseconds. */
const ASKS_WITHIN_MS = 150

export async function playCase(
  context: CheckContext,
  plan: ExploredCase,
  branches: readonly Branch[],
): Promise<PlayedCase> {
  const running = await beginPayments(context, plan, branches)
  const playing: PlayingCase = { running, sent: [], users: [], failing: [] }
  const { sent, users, failing } = playing
  try {
    await sendAll(context, plan, playing)
  } finally {
    await Promise.all(failing.map((each) => each.untilOver()))
  }
  const first = sent.map(({ exchange }) => exchange)
  await sendAgain(context, sent)
  return {
    payments: running.map((each) => ({ ...each, isReached: isDecided(each) })),
    users,
    exchanges: sent.map(({ exchange }) => exchange),
    first,
  }
}

interface PlayingCase {
  readonly running: readonly RunningPayment[]
  readonly sent: Sent[]
  readonly users: ObjectRef[]
  readonly failing: FailingCallBack[]
}

async function sendAll(
  context: CheckContext,
  { deliveries, users = [] }: ExploredCase,
  { running, sent, users: madeUsers, failing }: PlayingCase,
): Promise<void> {
  const pending: Promise<unknown>[] = []

  const sendOne = async (sending: Sending) =>
    void sent.push({ sending, exchange: await send(context, sending) })

  async function sendUsers(before: number): Promise<void> {
    for (const user of users.filter((each) => Math.min(each.before, deliveries.length) === before)) {
      const id = user.id.replaceAll('{n}', freshDigits(context))
      const message = await context.service.create('users', { id })
      madeUsers.push({ type: message.type, id: message.id })
      await sendOne({ delivery: {}, message, label: message.label })
    }
  }

  for (const group of groupDeliveries(deliveries)) {
    const sendings: Sending[] = []
    const begun = failing.length
    for (const delivery of group) {
      await sendUsers(deliveries.indexOf(delivery))
      const message = await reachMessage(running, delivery)
      if (!message) continue
      if (delivery.callBack) failing.push(await failCallBack(context, message, delivery.callBack))
      sendings.push({ delivery, message, label: `@${deliveries.indexOf(delivery) + 1} ${message.label}` })
    }
    const sends = Promise.all(sendings.map(sendOne))
    const late = failing.slice(begun).find(({ isLate }) => isLate)
    if (late) {
      pending.push(sends)
      await late.untilAsked(ASKS_WITHIN_MS)
    } else await sends
    for (const each of failing.slice(begun)) if (each.isFirst) await each.untilOver()
    if (group.some(({ restart }) => restart)) {
      await context.process.stop()
      await context.process.start()
    }
  }
  await sendUsers(deliveries.length)
  await Promise.all(pending)
}

const isDecided = ({ branch, play }: RunningPayment) =>
  branch.deciding !== undefined && ownMessages(branch, play).length > branch.deciding

async function beginPayments(
  context: CheckContext,
  { people: persons, payments }: ExploredCase,
  branches: readonly Branch[],
): Promise<readonly RunningPayment[]> {
  const people = createPeople(context, persons)
  const running: RunningPayment[] = []
  for (const plan of payments) {
    const branch = branchOf(plan, branches)
    if (!branch)
      throw new RangeError(
        `Cannot play ${plan.kind} ${plan.outcome}: the receiver has no URL for its notifications`,
      )
    const { kind, outcome, via, amount, currency, fee } = plan
    const [first] = (plan.item === undefined ? undefined : running[plan.item]?.play.messages) ?? []
    const item = first?.type === 'items' ? first.id : undefined
    const { person } = plan
    const price = pricedBy(plan, payments)
    const user = person === undefined ? undefined : await people.userFor({ ...price, kind, person })
    const play = await context.service.play(kind, outcome, {
      ...(via !== undefined && { via }),
      ...(amount !== undefined && kind !== 'virtual-account-activation' && { amount }),
      ...(currency !== undefined && kind !== 'virtual-account-activation' && { currency }),
      ...(item === undefined ? user !== undefined && { user } : { item }),
      ...(fee !== undefined && { itemFields: { buyer_fees: fee } }),
    })
    const others = running.map(({ disguise }) => disguise)
    running.push({ plan, branch, play, disguise: createDisguise(context, plan, others) })
  }
  return running
}

function pricedBy(plan: PaymentPlan, payments: readonly PaymentPlan[]): PaymentPlan {
  const first = plan.item === undefined ? undefined : payments[plan.item]
  return first ? pricedBy(first, payments) : plan
}

async function reachMessage(running: readonly RunningPayment[], { of, part }: DeliveryPlan) {
  const payment = running[of]
  if (!payment) return undefined
  const before = payment.play.messages.length
  const message = (await reachMessages(payment.branch, payment.play, part))[part]
  for (const each of payment.play.messages.slice(before)) await payment.disguise.show(each, payment.play)
  return message && payment.disguise.dress(message, payment.play)
}

function groupDeliveries(deliveries: readonly DeliveryPlan[]): readonly (readonly DeliveryPlan[])[] {
  const groups: DeliveryPlan[][] = []
  for (const delivery of deliveries) {
    const last = groups.at(-1)
    if (delivery.together && last) last.push(delivery)
    else groups.push([delivery])
  }
  return groups
}

function send(context: CheckContext, { delivery, message, label }: Sending): Promise<Exchange> {
  const { generation = 'webhooks', wire } = delivery
  if (wire === undefined) return context.send(message, { generation, label })
  const url = context.receiver.url(message.type, generation)
  return context.request({
    method: 'POST',
    url,
    about: message,
    label: `${label} (${wire})`,
    ...wireOf(wire, message.body),
  })
}

const MAX_TRIES = 4

async function sendAgain(context: CheckContext, sent: readonly Sent[]): Promise<void> {
  await Promise.all(
    sent.map(async (each) => {
      const again = { ...each.sending, label: `${each.sending.label}, sent again` }
      for (let tries = 1; tries < MAX_TRIES; tries++) {
        if (isAccepted(each.exchange)) return
        each.exchange = await send(context, again)
      }
    }),
  )
}

type WireForm = Pick<RawRequest, 'body' | 'headers' | 'splits' | 'expectsContinue' | 'hasCapitalHeaders'>

const FORMS: { readonly [Each in Wire]: (body: string) => WireForm } = {
  'split-in-character': (body) => ({ splits: splitsInCharacters(body) }),
  'byte-by-byte': (body) => ({ splits: firstBytes(body) }),
  'expect-continue': () => ({ expectsContinue: true }),
  'header-case': () => ({ hasCapitalHeaders: true }),
  'fresh-connection': () => ({}),
}

function wireOf(wire: Wire, body: string): WireForm {
  const headers = { 'content-type': 'application/json', 'user-agent': 'Payments-Notifications/1.0' }
  return { body, headers, ...FORMS[wire](body) }
}

const MAX_SPLITS = 4

/** Returns byte offsets inside multi-byte characters. If the body has no such characters, returns the offset of its middle. */
function splitsInCharacters(body: string): readonly number[] {
  const bytes = Buffer.from(body)
  const inside = [...bytes.entries()].flatMap(([index, byte]) =>
    (byte & 0b1100_0000) === 0b1000_0000 ? [index] : [],
  )
  return inside.length > 0 ? inside.slice(0, MAX_SPLITS) : [Math.floor(bytes.length / 2)]
}

const BYTES = 12

/** Returns offsets that send the first bytes in separate chunks. Some faulty receivers read only the first chunk. */
function firstBytes(body: string): readonly number[] {
  return Array.from({ length: Math.min(BYTES, body.length - 1) }, (_, index) => index + 1)
}
