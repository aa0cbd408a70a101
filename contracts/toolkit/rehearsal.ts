import type { Generation } from '../../spec/delivery.ts'
import type { Branch } from './branches.ts'
import type { CheckContext, Message, Play, PlayOptions } from './check-context.ts'
import type { Exchange } from '../finding.ts'
import { isAccepted, isReached } from './expectations.ts'
import { shiftTimes } from './messages.ts'
import { reachMessages } from './scenario.ts'

/** What becomes of one delivery; nothing special where all are left out. */
export interface DeliveryMarks {
  /** It never arrives. */
  readonly lose?: true
  /** Its answer is lost, so it is sent again. */
  readonly break_answer?: true
  /** It arrives a day late, when all others have. */
  readonly late?: true
  /** It comes also as a callback. */
  readonly callback?: true
}

export const DELIVERY_MARKS = ['lose', 'break_answer', 'late', 'callback'] as const

/** A notification of a payment, by its place among the parts of the branch, and what becomes of it. */
export interface PlannedDelivery extends DeliveryMarks {
  readonly place: number
}

/** A payment that is played anew, and in which order the receiver is notified of it. */
export interface Rehearsal {
  readonly branch: Branch
  readonly payment: PlayOptions
  readonly deliveries: readonly PlannedDelivery[]
  /** The next delivery comes when the receiver has dealt with the one before. */
  readonly rests: boolean
}

export interface PlayedRehearsal extends Rehearsal {
  readonly play: Play
  /** In the order in which they came. */
  readonly arrivals: readonly Arrival[]
}

/** A notification that arrived, and what became of it in the end. */
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
  /** For a person: `@2 items completed`. */
  readonly label: string
}

/** What has failed for the service. */
interface Repetition {
  readonly message: Message
  readonly generation: Generation
  readonly label: string
  readonly arrival: RunningRehearsal['arrivals'][number]
}

/**
 * Plays a fresh payment for each, and notifies the receiver of it as planned. A payment is never further than its
 * notifications are. The payments move in turn; their deliveries go out side by side. What has failed comes again when all
 * others were sent: the first retry comes minutes later. What is late comes after that. `onRound` is called with the number of deliveries
 * that were sent of each. Source: §6.1
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

/** The payment is played on until there is something to notify of. */
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

/** Nothing more is sent to a receiver that is gone. */
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

/** Where there was no answer, once more only: each further try might take its whole deadline. */
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
    // What has come before comes again as it was; to your receiver, anything else is news that is a day old.
    const isNews = running.arrivals.every(({ place }) => place !== delivery.place)
    const late = isNews ? shiftTimes(message, DAY_MS) : message
    await send(context, running, { delivery, message: late, label: `${label}, a day late` })
    await sendAgain(context, running)
  }
}
