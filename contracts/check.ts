import type { Finding, Symptom } from './finding.ts'

/** What a check may have to observe beside the answers, and the settings that make it observable. */
export const NEEDS = {
  calls: {
    settings: 'receiver.callsBack',
    detail: ': the receiver has to ask back at the address of this run',
  },
  effects: { settings: 'effects.http', detail: ', effects.command, effects.function or effects.sink' },
  process: { settings: 'process.stop and process.start', detail: '' },
  reconcile: {
    settings: 'reconcile.command or reconcile.http',
    detail: ': how it looks for what it has missed',
    loss: 'if your platform never looks, every payment is lost whose notifications all failed for a day',
  },
  callbacks: { settings: 'receiver.url.callbacks', detail: '' },
  'source-addresses': {
    settings: 'sourceAddresses',
    detail: ': how the receiver can tell where a delivery comes from',
  },
  signature: {
    settings: 'signatureSecret',
    detail: ': what the receiver verifies webhooks with; if it verifies none, readings.signature to "off"',
  },
} as const satisfies Readonly<Record<string, NeedText>>

interface NeedText {
  readonly settings: string
  readonly detail: string
  /** What is lost where it is not observed and not done. */
  readonly loss?: string
}

/**
 * `calls` that the receiver makes back to the service, the `effects` of notifications, its `process` stopped and started, how
 * the platform looks for what it has missed (`reconcile`), a URL for `callbacks` beside webhooks, the addresses that deliveries
 * come from, the `signature` of webhooks.
 */
export type Need = keyof typeof NEEDS

/** What is lost where these are not observed, after a semicolon; empty if there is nothing to say. */
export function describeLoss(needs: readonly Need[]): string {
  return needs
    .flatMap((need) => {
      const { loss }: NeedText = NEEDS[need]
      return loss === undefined ? [] : `; ${loss}`
    })
    .join('')
}

/** One requirement on a webhook receiver, and the way to find out whether it is met. `Context` is what it is handed. */
export interface Check<Context> {
  /** `topic/name`; a run can select either. Public and never reused. */
  readonly id: string
  /** `must` follows from the service's document or guards money; `should` is good practice where it is silent. */
  readonly severity: 'must' | 'should'
  /** One sentence, true of a receiver that meets it. */
  readonly requirement: string
  /** Lines of the service's document. */
  readonly lines: readonly number[]
  /** The readings that it rests on, where the document is silent. */
  readonly readings?: readonly string[]
  /** Without these it is not observable; none if the answers are enough. */
  readonly needs?: readonly Need[]
  /** With these it sees more, and says what it did not see where they are missing. */
  readonly uses?: readonly Need[]
  /** What happens to a platform whose receiver does not meet it, in money where it is about money. */
  readonly meaning: string
  /** What to do about it. */
  readonly remedy: string
  /** The meaning and the remedy in place of these where a failure shows otherwise. */
  readonly explanations?: { readonly [Each in Symptom]?: Pick<Check<Context>, 'meaning' | 'remedy'> }
  /** It expects a refusal or nothing at all: valid only between two deliveries of a kind that is accepted. */
  readonly negative?: true
  /** What it looks at instead of what the receiver does: its URLs and certificates, also of one that cannot be reached. */
  readonly probes?: 'address'
  /** It takes longer than most, and begins before them: whatever comes last is waited for by itself. */
  readonly takesLong?: true
  /** It needs the receiver for itself. */
  readonly alone?: true
  /** It begins with the run, waits for the others, and ends after all of them. */
  readonly spansRun?: true
  /** Never rejects for what the receiver does. */
  run(context: Context): Promise<Finding>
}

/** How much is observed: 0 the answers, 1 calls back, 2 effects, 3 the process. */
export function requiredLevel({ needs = [] }: Pick<Check<never>, 'needs'>): 0 | 1 | 2 | 3 {
  if (needs.includes('process')) return 3
  if (needs.includes('effects')) return 2
  return needs.includes('calls') ? 1 : 0
}
