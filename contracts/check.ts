import type { Finding, Symptom } from './finding.ts'

/** The observations that a check can need, and their configuration keys. */
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
    loss: 'if your platform never looks, every payment is lost whose notifications all failed for seven hours',
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
  /** A description of the possible loss if the platform does not support this observation. */
  readonly loss?: string
}

export type Need = keyof typeof NEEDS

/** Returns the texts about possible losses without these observations. A semicolon precedes each text. */
export function describeLoss(needs: readonly Need[]): string {
  return needs
    .flatMap((need) => {
      const { loss }: NeedText = NEEDS[need]
      return loss === undefined ? [] : `; ${loss}`
    })
    .join('')
}

/** One requirement on a webhook receiver, and its test. */
export interface Check<Context> {
  /** The topic and the name, such as `body/nulls`. Ids select checks in a run. Check ids are public and never reused. */
  readonly id: string
  /** `must`: required by the service's document, or protects money. `should`: good practice. */
  readonly severity: 'must' | 'should'
  /** One sentence that is true for a correct receiver. */
  readonly requirement: string
  /** The lines of the service's document that state the requirement. */
  readonly lines: readonly number[]
  /** Readings of the document that the check depends on. */
  readonly readings?: readonly string[]
  /** The observations that the check requires. Omitted if the check needs only the receiver's answers. */
  readonly needs?: readonly Need[]
  /** The optional observations that make the check stricter. The check reports optional observations that are missing. */
  readonly uses?: readonly Need[]
  /** The consequence of a failure for the platform, in money if possible. */
  readonly meaning: string
  readonly remedy: string
  /** Replaces the meaning and the remedy if the failure has this symptom. */
  readonly explanations?: { readonly [Each in Symptom]?: Pick<Check<Context>, 'meaning' | 'remedy'> }
  /**
   * True if the check expects a rejection or no effect. A negative check runs between two valid deliveries that the receiver must
   * accept.
   */
  readonly negative?: true
  /** `address` for a check of URLs and certificates. An address check also runs if the receiver is unreachable. */
  readonly probes?: 'address'
  /** True if the check takes long. Slow checks start before other checks. */
  readonly takesLong?: true
  /** True if no other check may run at the same time. */
  readonly alone?: true
  /** True if the check starts with the run and ends after all other checks. */
  readonly spansRun?: true
  /** Runs the check. A fault in the receiver never makes the promise reject. */
  run(context: Context): Promise<Finding>
}

/** Returns the level of the observations: 0 for answers, 1 for calls back, 2 for effects, 3 for the process. */
export function requiredLevel({ needs = [] }: Pick<Check<never>, 'needs'>): 0 | 1 | 2 | 3 {
  if (needs.includes('process')) return 3
  if (needs.includes('effects')) return 2
  return needs.includes('calls') ? 1 : 0
}
