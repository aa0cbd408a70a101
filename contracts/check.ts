import { isSuccess } from '../spec/delivery.ts'
import type { Example } from '../spec/generated/examples.ts'
import type { NotifiedType } from '../spec/notifications.ts'
import type { Outcome } from '../sandbox/index.ts'

/** One requirement on a webhook receiver, and the way to find out whether it is met. */
export interface Check {
  /** `topic/name`; a run can select either. Public and never reused. */
  readonly id: string
  /** `must` follows from the service's document; `should` is good practice where it is silent. */
  readonly severity: 'must' | 'should'
  /** What has to be observed: 0 the receiver's answers, which any URL gives. */
  readonly level: 0
  readonly requirement: string
  /** Sections of the service's document. */
  readonly source: readonly string[]
  /** The readings that it rests on, where the document is silent. */
  readonly readings?: readonly string[]
  run(receiver: Receiver): Promise<Finding>
}

export type Finding = Passed | Failed | Inconclusive

export interface Passed {
  readonly kind: 'passed'
  readonly exchanges: readonly CheckExchange[]
}

export interface Failed {
  readonly kind: 'failed'
  readonly expected: string
  readonly actual: string
  /** What it means for a platform, and what to do. */
  readonly meaning: string
  readonly exchanges: readonly CheckExchange[]
}

/** What happened says nothing about the requirement. */
export interface Inconclusive {
  readonly kind: 'inconclusive'
  /** The receiver was never reached, or it failed at what the requirement builds on. */
  readonly cause: 'unreachable' | 'control-failed'
  readonly why: string
  readonly exchanges: readonly CheckExchange[]
}

export interface CheckExchange {
  readonly label: string
  readonly sent: string
  readonly outcome: Outcome
}

/** The receiver under test, as a check sees it. */
export interface Receiver {
  /** Posts the bytes to the receiver's URL for the type. Never rejects. */
  deliver(type: NotifiedType, body: string): Promise<Outcome>
  /** The object types that it has a URL for. */
  readonly types: readonly NotifiedType[]
  /** Golden bodies whose objects the service shows, should the receiver ask back; new ids at each call. */
  bodies(type: NotifiedType): Promise<readonly Example[]>
  /** What the service posts before it registers a URL. */
  readonly testBody: string
}

export type Step = Omit<CheckExchange, 'outcome'> & { readonly type: NotifiedType }

/** Sends each body in turn, and expects each to be answered with success. */
export async function expectAccepted(
  receiver: Receiver,
  steps: readonly Step[],
  meaning: string,
): Promise<Finding> {
  const exchanges = await deliverAll(receiver, steps)
  const refused = exchanges.filter(isRefused)
  if (refused.length > 0) {
    return {
      kind: 'failed',
      expected: 'an answer from 200 to 299 to each',
      actual: told(refused, exchanges.length, steps.length),
      meaning,
      exchanges: refused,
    }
  }
  return unreachedIn(exchanges) ?? { kind: 'passed', exchanges }
}

/** Sends each body in turn, up to the first that is not answered at all: each further one might take its whole deadline. */
export async function deliverAll(receiver: Receiver, steps: readonly Step[]): Promise<CheckExchange[]> {
  const exchanges: CheckExchange[] = []
  for (const { label, sent, type } of steps) {
    const outcome = await receiver.deliver(type, sent)
    exchanges.push({ label, sent, outcome })
    if (outcome.kind === 'unanswered') break
  }
  return exchanges
}

/** The finding on exchanges of which one did not reach the receiver. */
export function unreachedIn(exchanges: readonly CheckExchange[]): Inconclusive | undefined {
  const unreached = exchanges.find(({ outcome }) => outcome.kind === 'unanswered' && !isReached(outcome))
  if (!unreached) return undefined
  return { kind: 'inconclusive', cause: 'unreachable', why: sentence(unreached), exchanges }
}

/** Reading: delivery-success */
export function isAccepted({ outcome }: CheckExchange): boolean {
  return outcome.kind === 'answered' && isSuccess(outcome.status)
}

/** What the receiver did with a delivery, in a few words. */
export function sentence({ label, outcome }: CheckExchange): string {
  return outcome.kind === 'answered'
    ? `${label} was answered ${outcome.status}`
    : `${label} was not answered: ${outcome.reason}: ${outcome.message}`
}

/** It was reached and did not accept: a failed delivery, with a status or without. */
function isRefused(exchange: CheckExchange): boolean {
  const { outcome } = exchange
  return outcome.kind === 'answered' ? !isAccepted(exchange) : isReached(outcome)
}

type Unanswered = Extract<Outcome, { readonly kind: 'unanswered' }>

/** Why a receiver with which a connection stood did not answer: for the service these are failed deliveries. Source: §6.1 */
const REACHED: ReadonlySet<Unanswered['reason']> = new Set([
  'send_timeout',
  'header_timeout',
  'closed_without_response',
  'reset',
  'protocol_error',
  'unexpected_upgrade',
])

function isReached({ reason }: Unanswered): boolean {
  return REACHED.has(reason)
}

/** How many refusals a sentence names; the exchanges hold them all. */
const MOST_TOLD = 3

function told(refused: readonly CheckExchange[], sent: number, wanted: number): string {
  const named = refused.slice(0, MOST_TOLD).map(sentence)
  const more = refused.length - named.length
  return [
    ...named,
    ...(more > 0 ? [`${more} more of ${sent} were refused`] : []),
    ...(wanted > sent ? [`${wanted - sent} more were not sent`] : []),
  ].join('; ')
}
