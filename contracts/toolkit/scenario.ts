import { GENERATIONS, type Generation } from '../../spec/delivery.ts'
import type { RehearsalDelivery } from '../../spec/generated/control-types.ts'
import { isSameObject, type Exchange } from '../finding.ts'
import type { Branch } from './branches.ts'
import type { CheckContext, Message, Play, PaymentOptions } from './check-context.ts'
import { isAccepted, isReached } from './expectations.ts'
import { shiftTimes } from './messages.ts'
import type { Sequence } from './sequences.ts'

export interface Scenario {
  readonly branch: Branch
  readonly sequence: Sequence
  /** The amount of the payment in minor units. */
  readonly amount?: number
  /** True if each notification is sent only after the receiver has processed the previous one, as the service usually does. */
  readonly rests?: boolean
}

export interface PlayedScenario extends Scenario {
  readonly play: Play
  /** The last exchange of each delivery, in the order of the deliveries. */
  readonly sent: readonly Exchange[]
}

export async function playScenarios<Planned extends Scenario>(
  context: CheckContext,
  scenarios: readonly Planned[],
): Promise<readonly (Planned & PlayedScenario)[]> {
  const plans = scenarios.map(({ branch, sequence, amount, rests = false }) => ({
    branch,
    payment: amount === undefined ? {} : { amount },
    rounds: sequence.map((group) => group.map((place) => ({ place }))),
    rests,
  }))
  const played = await playAll(context, plans)
  return scenarios.flatMap((scenario, index) => {
    const { play, arrivals } = played[index] ?? {}
    return play && arrivals ? [{ ...scenario, play, sent: arrivals.map(({ exchange }) => exchange) }] : []
  })
}

export interface Rehearsal {
  readonly branch: Branch
  readonly payment: PaymentOptions
  readonly deliveries: readonly RehearsalDelivery[]
  /** True if each delivery waits until the receiver has processed the previous delivery. */
  readonly rests: boolean
}

export interface PlayedRehearsal extends Rehearsal {
  readonly play: Play
  /** The delivered notifications, with the last exchange of each delivery. */
  readonly arrivals: readonly { readonly place: number; readonly exchange: Exchange }[]
}

/** Plays a new payment for each rehearsal. Calls `onRound` after each round with the number of rounds so far. */
export async function playRehearsals(
  context: CheckContext,
  rehearsals: readonly Rehearsal[],
  onRound?: (done: number) => void,
): Promise<readonly PlayedRehearsal[]> {
  const plans = rehearsals.map((each) => ({
    ...each,
    rounds: each.deliveries.map((delivery) => [
      { ...delivery, place: each.branch.parts.findIndex(({ number }) => number === delivery.number) },
    ]),
    isNumbered: true as const,
  }))
  return playAll(context, plans, onRound)
}

/** A delivery: the index of the notification in the branch, and the marks of the delivery. */
interface PlannedDelivery extends Omit<RehearsalDelivery, 'number'> {
  readonly place: number
}

interface Plan extends Pick<Rehearsal, 'branch' | 'payment' | 'rests'> {
  /** The deliveries, grouped by round. The deliveries of a round are sent at the same time. */
  readonly rounds: readonly (readonly PlannedDelivery[])[]
  /** True if the labels are numbered, such as `@2 items completed`. */
  readonly isNumbered?: true
}

interface Playing extends Plan {
  readonly play: Play
  readonly arrivals: { readonly place: number; exchange: Exchange }[]
  readonly again: Repetition[]
  readonly late: Sending[]
}

interface Sending {
  readonly delivery: PlannedDelivery
  readonly message: Message
}

interface Repetition {
  readonly message: Message
  readonly generation: Generation
  readonly label: string
  readonly arrival: Playing['arrivals'][number]
}

/** Advances the payments one by one, so that runs are repeatable. Retries come after all other deliveries. Source: §6.1 */
async function playAll<Planned extends Plan>(
  context: CheckContext,
  plans: readonly Planned[],
  onRound?: (done: number) => void,
): Promise<readonly (Planned & Playing)[]> {
  const playing = await Array.fromAsync(plans, async (plan): Promise<Planned & Playing> => {
    const play = await context.service.play(plan.branch.kind, plan.branch.outcome, plan.payment)
    return { ...plan, play, arrivals: [], again: [], late: [] }
  })
  const rounds = Math.max(0, ...plans.map((plan) => plan.rounds.length))
  for (let round = 0; round < rounds; round++) {
    const taken = await Array.fromAsync(playing, async (each) => ({
      each,
      sendings: await takeRound(each, round),
    }))
    const deliveries = taken.flatMap(({ each, sendings }) =>
      sendings.map((sending) => deliver(context, each, sending)),
    )
    await Promise.all(deliveries)
    onRound?.(round + 1)
    if (playing.some(({ rests }) => rests)) await context.pauseBetween()
  }
  await Promise.all(playing.map((each) => sendFailedAgain(context, each)))
  await Promise.all(playing.map((each) => sendLate(context, each)))
  return playing
}

async function takeRound({ branch, play, rounds, isNumbered }: Playing, round: number) {
  const group = rounds[round] ?? []
  if (group.length === 0) return []
  const messages = await reachMessages(branch, play, Math.max(...group.map(({ place }) => place)))
  return group.flatMap((delivery): Sending[] => {
    const message = messages[delivery.place]
    if (!message) return []
    const label = isNumbered ? `@${round + 1} ${message.label}` : message.label
    return [{ delivery, message: { ...message, label } }]
  })
}

async function deliver(context: CheckContext, playing: Playing, sending: Sending): Promise<void> {
  const { delivery, message } = sending
  if (delivery.lose === true) {
    context.note(`${message.label} never arrives`, message)
  } else if (delivery.late === true) {
    context.note(`${message.label} does not arrive yet, because it arrives a day late`, message)
    playing.late.push(sending)
  } else {
    await send(context, playing, sending)
  }
}

/** Sends a planned delivery. An unreachable receiver gets no further deliveries. */
async function send(context: CheckContext, playing: Playing, { delivery, message }: Sending): Promise<void> {
  const { arrivals, again } = playing
  const { place, callback, break_answer } = delivery
  for (const generation of callback === true ? GENERATIONS : (['webhooks'] as const)) {
    if (!arrivals.every(({ exchange }) => isReached(exchange))) return
    const label = generation === 'callbacks' ? `${message.label}, as a callback` : message.label
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

/** Repeats failed deliveries until they succeed. Repeats an unanswered delivery only once, because each attempt is slow. */
async function sendFailedAgain(context: CheckContext, { again }: Playing): Promise<void> {
  for (const { message, generation, label, arrival } of again.splice(0)) {
    const options = { generation, label: `${label}, sent again` }
    const isHanging = arrival.exchange.status === null
    arrival.exchange = await (isHanging ? context.send : context.sendUntilAccepted)(message, options)
  }
}

const DAY_MS = 86_400_000

async function sendLate(context: CheckContext, playing: Playing): Promise<void> {
  for (const { delivery, message } of playing.late.splice(0)) {
    // A repeated notification keeps its body. In a new notification, all times are moved one day back.
    const isNews = playing.arrivals.every(({ place }) => place !== delivery.place)
    const late = isNews ? shiftTimes(message, DAY_MS) : message
    await send(context, playing, { delivery, message: { ...late, label: `${message.label}, a day late` } })
    await sendFailedAgain(context, playing)
  }
}

/** Plays a payment until the notification with index `upTo` exists. */
export async function reachMessages(branch: Branch, play: Play, upTo: number): Promise<readonly Message[]> {
  while (ownMessages(branch, play).length <= upTo && !play.isOver) await play.next()
  return ownMessages(branch, play)
}

/** Returns the payment's notifications so far, ordered by their index in the branch. */
export function ownMessages({ parts }: Pick<Branch, 'parts'>, { messages }: Play): readonly Message[] {
  const types = new Set(parts.map(({ type }) => type))
  return messages.filter(({ type }) => types.has(type))
}

/** Returns the last message about the object that the platform acts on. The message contains the object's current state. */
export function lastAboutConsequence({ messages, consequence }: Play): Message | undefined {
  return consequence && messages.findLast((message) => isSameObject(message, consequence))
}

/** Plays the payments to their end one after the other. Then sends the remaining messages of all payments concurrently. */
export async function finishScenarios(context: CheckContext, scenarios: readonly PlayedScenario[]) {
  const rests = await Array.fromAsync(scenarios, async ({ branch, sequence, play }) => {
    const messages = await reachMessages(branch, play, branch.parts.length - 1)
    return messages.slice(sequence.length)
  })
  await Promise.all(
    rests.map(async (rest) => {
      for (const message of rest) await context.sendUntilAccepted(message)
    }),
  )
}
