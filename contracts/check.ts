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

/** The receiver could not be reached, which says nothing about the requirement. */
export interface Inconclusive {
  readonly kind: 'inconclusive'
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

/** How many refusals a sentence names; the exchanges hold them all. */
const MOST_TOLD = 3

export type Step = Omit<CheckExchange, 'outcome'> & { readonly type: NotifiedType }

/** Sends each body in turn, and expects each to be answered with success. */
export async function expectAccepted(
  receiver: Receiver,
  steps: readonly Step[],
  meaning: string,
): Promise<Finding> {
  const exchanges: CheckExchange[] = []
  for (const { label, sent, type } of steps) {
    const outcome = await receiver.deliver(type, sent)
    exchanges.push({ label, sent, outcome })
    if (outcome.kind === 'unanswered') {
      return { kind: 'inconclusive', why: `${label}: ${outcome.reason}: ${outcome.message}`, exchanges }
    }
  }
  const refused = exchanges.filter(({ outcome }) => !isAccepted(outcome))
  if (refused.length === 0) return { kind: 'passed', exchanges }
  const told = refused
    .slice(0, MOST_TOLD)
    .map(({ label, outcome }) => `${label} was answered ${statusOf(outcome)}`)
  const more =
    refused.length > MOST_TOLD
      ? `; ${refused.length - MOST_TOLD} more of ${exchanges.length} were refused`
      : ''
  const actual = `${told.join('; ')}${more}`
  return {
    kind: 'failed',
    expected: 'an answer from 200 to 299 to each',
    actual,
    meaning,
    exchanges: refused,
  }
}

/** Reading: delivery-success */
function isAccepted(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && isSuccess(outcome.status)
}

function statusOf(outcome: Outcome): string {
  return outcome.kind === 'answered' ? String(outcome.status) : outcome.reason
}
