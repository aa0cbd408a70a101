import type { Generation } from '../../spec/delivery.ts'
import type { Branch } from './branches.ts'
import type { CheckContext, Message, Play, PlayOptions } from './check-context.ts'
import type { Exchange } from '../finding.ts'
import { isAccepted, isReached } from './expectations.ts'
import { shiftTimes } from './messages.ts'
import { reachMessages } from './scenario.ts'

/** The treatment of one delivery. Without marks, the delivery is ordinary. */
export interface DeliveryMarks {
  readonly lose?: true
  /** The answer is lost, so the service retries. */
  readonly break_answer?: true
  readonly late?: true
  /** The delivery also comes as a callback. */
  readonly callback?: true
}

export const DELIVERY_MARKS = ['lose', 'break_answer', 'late', 'callback'] as const

/** A notification, by its index in the branch, and its treatment. */
export interface PlannedDelivery extends DeliveryMarks {
  readonly place: number
}

/** A new payment and the order of its notifications. */
export interface Rehearsal {
  readonly branch: Branch
  readonly payment: PlayOptions
  readonly deliveries: readonly PlannedDelivery[]
  /** True if each delivery waits until the receiver has finished the one before. */
  readonly rests: boolean
}

export interface PlayedRehearsal extends Rehearsal {
  readonly play: Play
  readonly arrivals: readonly Arrival[]
}

/** A delivered notification and its final answer. */
export interface Arrival {
  readonly place: number
  readonly exchange: Exchange
}

interface RunningRehearsal extends Rehearsal {
  readonly play: Play
  readonly arrivals: { readonly place: number; exchange: Exchange }[]
  readonly again: Repetition[]
  readonly late: Sending[]
}

interface Sending {
  readonly delivery: PlannedDelivery
  readonly message: Message
  /** A label such as `@2 items completed`. */
  readonly label: string
}

interface Repetition {
  readonly message: Message
  readonly generation: Generation
  readonly label: string
  readonly arrival: RunningRehearsal['arrivals'][number]
}

/**
 * Plays a new payment for each rehearsal and notifies the receiver as planned. Payments advance only as far
 * as their notifications. Deliveries of different payments are concurrent. Failed deliveries are repeated
 * after all others, because the first retry comes minutes later. Late deliveries follow. Calls `onRound`
 * with the number of sent deliveries of each payment. Source: §6.1
 */
export async function playRehearsals(
  context: CheckContext,
  rehearsals: readonly Rehearsal[],
  onRound: (done: number) => void = () => {},
): Promise<readonly PlayedRehearsal[]> {
  const running: RunningRehearsal[] = []
  for (const rehearsal of rehearsals) {
    const { kind, outcome } = rehearsal.branch
    const play = await context.service.play(kind, outcome, rehearsal.payment)
    running.push({ ...rehearsal, play, arrivals: [], again: [], late: [] })
  }
  const rounds = Math.max(0, ...rehearsals.map(({ deliveries }) => deliveries.length))
  for (let round = 0; round < rounds; round++) {
    const sendings: (() => Promise<void>)[] = []
    for (const each of running) {
      const sending = await takeSending(each, round)
      if (sending) sendings.push(() => deliver(context, each, sending))
    }
    await Promise.all(sendings.map((start) => start()))
    onRound(round + 1)
    if (running.some(({ rests }) => rests)) await context.pauseBetween()
  }
  await Promise.all(running.map((each) => sendAgain(context, each)))
  await Promise.all(running.map((each) => sendLate(context, each)))
  return running
}

async function takeSending(
  { branch, play, deliveries }: RunningRehearsal,
  round: number,
): Promise<Sending | undefined> {
  const delivery = deliveries[round]
  if (!delivery) return undefined
  const message = (await reachMessages(branch, play, delivery.place))[delivery.place]
  return message && { delivery, message, label: `@${round + 1} ${message.label}` }
}

async function deliver(context: CheckContext, running: RunningRehearsal, sending: Sending): Promise<void> {
  const { delivery, message, label } = sending
  if (delivery.lose === true) {
    context.note(`${label} never arrives`, message)
  } else if (delivery.late === true) {
    context.note(`${label} does not arrive yet, because it comes a day late`, message)
    running.late.push(sending)
  } else {
    await send(context, running, sending)
  }
}

/** An unreachable receiver gets no further deliveries. */
async function send(
  context: CheckContext,
  running: RunningRehearsal,
  { delivery: { place, callback, break_answer }, message, label: start }: Sending,
): Promise<void> {
  const { arrivals, again } = running
  for (const generation of callback === true
    ? (['webhooks', 'callbacks'] as const)
    : (['webhooks'] as const)) {
    if (!arrivals.every(({ exchange }) => isReached(exchange))) return
    const label = generation === 'callbacks' ? `${start}, as a callback` : start
    const isAnswerLost = break_answer === true && generation === 'webhooks'
    const exchange = await context.send(message, {
      generation,
      label: isAnswerLost ? `${label}, with a lost answer` : label,
    })
    const arrival = { place, exchange }
    arrivals.push(arrival)
    const hasFailed = isAnswerLost || !isAccepted(exchange)
    if (hasFailed && isReached(exchange)) again.push({ message, generation, label, arrival })
  }
}

/** A delivery without an answer is repeated once, because each try may wait for its whole deadline. */
async function sendAgain(context: CheckContext, { again }: RunningRehearsal): Promise<void> {
  for (const { message, generation, label, arrival } of again.splice(0)) {
    const options = { generation, label: `${label}, sent again` }
    const isHanging = arrival.exchange.status === null
    arrival.exchange = await (isHanging ? context.send : context.sendUntilAccepted)(message, options)
  }
}

const DAY_MS = 86_400_000

async function sendLate(context: CheckContext, running: RunningRehearsal): Promise<void> {
  const sendings = running.late.splice(0)
  for (const { delivery, message, label } of sendings) {
    // A repeated delivery has the same body. Other late deliveries are news to the receiver.
    const isNews = running.arrivals.every(({ place }) => place !== delivery.place)
    const late = isNews ? shiftTimes(message, DAY_MS) : message
    await send(context, running, { delivery, message: late, label: `${label}, a day late` })
    await sendAgain(context, running)
  }
}
