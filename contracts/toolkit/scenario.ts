import type { Branch } from './branches.ts'
import type { CheckContext, Message, Play } from './check-context.ts'
import type { Sequence } from './sequences.ts'
import type { Exchange } from '../finding.ts'
import { isAccepted, isReached } from './expectations.ts'

/** A payment and the order of its notifications. */
export interface Scenario {
  readonly branch: Branch
  readonly sequence: Sequence
  /** Minor units of the payment. */
  readonly amount?: number
  /** True if the receiver finishes each notification before the next, at the usual pace of the service. */
  readonly rests?: boolean
}

export interface PlayedScenario extends Scenario {
  readonly play: Play
  /** The final exchange of each delivery, in order. */
  readonly sent: readonly Exchange[]
}

/**
 * Plays a new payment for each scenario and notifies the receiver. Payments advance in turn, so that runs are
 * repeatable. Their deliveries are concurrent. Rejected deliveries are repeated at the end, as by the
 * service.
 */
export async function playScenarios<Planned extends Scenario>(
  context: CheckContext,
  scenarios: readonly Planned[],
): Promise<readonly (Planned & PlayedScenario)[]> {
  const running: RunningScenario[] = []
  for (const { branch, sequence, amount } of scenarios) {
    const play = await context.service.play(
      branch.kind,
      branch.outcome,
      amount === undefined ? {} : { amount },
    )
    running.push({ branch, sequence, play, deliveries: [] })
  }
  const rounds = Math.max(0, ...scenarios.map(({ sequence }) => sequence.length))
  for (let round = 0; round < rounds; round++) {
    const deliveries: (() => Promise<void>)[] = []
    for (const scenario of running) {
      const messages = await messagesOfRound(scenario, round)
      deliveries.push(() => deliver(context, scenario, messages))
    }
    await Promise.all(deliveries.map((start) => start()))
    if (round < rounds - 1 && scenarios.some(({ rests }) => rests)) await context.pauseBetween()
  }
  await Promise.all(running.map((scenario) => deliverAgain(context, scenario)))
  return scenarios.flatMap((scenario, index) => {
    const { play, deliveries } = running[index] ?? {}
    return play && deliveries ? [{ ...scenario, play, sent: deliveries.map(({ exchange }) => exchange) }] : []
  })
}

/** Plays a payment until it has more than `upTo` notifications of the branch. */
export async function reachMessages(branch: Branch, play: Play, upTo: number): Promise<readonly Message[]> {
  while (ownMessages(branch, play).length <= upTo && !play.isOver) await play.next()
  return ownMessages(branch, play)
}

/** Returns the notifications so far, by their index in the branch. */
export function ownMessages({ parts }: Pick<Branch, 'parts'>, { messages }: Play): readonly Message[] {
  const types = new Set(parts.map(({ type }) => type))
  return messages.filter(({ type }) => types.has(type))
}

/** Plays payments to the end in turn, and sends the remaining messages concurrently. */
export async function finishScenarios(
  context: CheckContext,
  scenarios: readonly PlayedScenario[],
): Promise<void> {
  const rests: (readonly Message[])[] = []
  for (const { branch, sequence, play } of scenarios) {
    const messages = await reachMessages(branch, play, branch.parts.length - 1)
    rests.push(messages.slice(sequence.length))
  }
  await Promise.all(
    rests.map(async (rest) => {
      for (const message of rest) await context.sendUntilAccepted(message)
    }),
  )
}

interface RunningScenario extends Scenario {
  readonly play: Play
  deliveries: readonly Delivery[]
}

interface Delivery {
  readonly message: Message
  readonly exchange: Exchange
}

async function messagesOfRound(
  { branch, play, sequence }: RunningScenario,
  round: number,
): Promise<readonly Message[]> {
  const group = sequence[round] ?? []
  if (group.length === 0) return []
  const messages = await reachMessages(branch, play, Math.max(...group))
  return group.flatMap((index) => messages[index] ?? [])
}

/** An unreachable receiver gets no further deliveries. */
async function deliver(
  context: CheckContext,
  scenario: RunningScenario,
  messages: readonly Message[],
): Promise<void> {
  if (!scenario.deliveries.every(({ exchange }) => isReached(exchange))) return
  const fresh = await Promise.all(
    messages.map(async (message) => ({ message, exchange: await context.send(message) })),
  )
  scenario.deliveries = [...scenario.deliveries, ...fresh]
}

async function deliverAgain(context: CheckContext, scenario: RunningScenario): Promise<void> {
  const deliveries: Delivery[] = []
  for (const delivery of scenario.deliveries) deliveries.push(await retry(context, delivery))
  scenario.deliveries = deliveries
}

/** A delivery without an answer is repeated once, because each try may wait for its whole deadline. */
async function retry(context: CheckContext, { message, exchange }: Delivery): Promise<Delivery> {
  if (isAccepted(exchange) || !isReached(exchange)) return { message, exchange }
  const again = exchange.status === null ? context.send(message) : context.sendUntilAccepted(message)
  return { message, exchange: await again }
}
