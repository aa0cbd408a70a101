import type { Finding, Symptom } from './finding.ts'

/** The observations that a check can need, with the configuration key that enables each observation. */
export const NEEDS = {
  calls: {
    settings: 'receiver.callsBack',
    detail: ': the receiver must call the service at the address of this run',
  },
  effects: { settings: 'effects.http', detail: ', effects.command, effects.function or effects.sink' },
  process: { settings: 'process.stop and process.start', detail: '' },
  reconcile: {
    settings: 'reconcile.command or reconcile.http',
    detail: ': how your platform looks for missed notifications',
    loss: 'if your platform does not look for missed notifications, it loses each payment whose notifications failed for seven hours',
  },
  callbacks: { settings: 'receiver.url.callbacks', detail: '' },
  'source-addresses': {
    settings: 'sourceAddresses',
    detail: ': how the receiver learns the address of the sender',
  },
  signature: {
    settings: 'signatureSecret',
    detail:
      ': the secret with which the receiver verifies webhooks; if the receiver verifies no signatures, set readings.signature to "off"',
  },
} as const satisfies Readonly<Record<string, NeedText>>

interface NeedText {
  readonly settings: string
  readonly detail: string
  /** The failures that the check can miss if the platform does not support this observation. */
  readonly loss?: string
}

export type Need = keyof typeof NEEDS

/** Describes the failures that a check can miss without these observations. Each description starts with a semicolon. */
export function describeLoss(needs: readonly Need[]): string {
  return needs
    .flatMap((need) => {
      const { loss }: NeedText = NEEDS[need]
      return loss === undefined ? [] : `; ${loss}`
    })
    .join('')
}

export interface Check<Context> {
  /** The topic and the name, such as `body/nulls`. Ids select checks in a run. Check ids are public and never reused. */
  readonly id: string
  /** `must` if the service's document states the requirement or money is at risk. `should` for good practice. */
  readonly severity: 'must' | 'should'
  /** One sentence that describes the behaviour of a correct receiver. */
  readonly requirement: string
  /** The lines of the service's document that state the requirement. */
  readonly lines: readonly number[]
  /** The names of the readings that the check depends on. See spec/readings.yaml. */
  readonly readings?: readonly string[]
  /** The observations that the check requires. Omitted if the check needs only the receiver's answers. */
  readonly needs?: readonly Need[]
  /** The optional observations that make the check stricter. The finding lists the optional observations that are missing. */
  readonly uses?: readonly Need[]
  /** The damage that a failure causes, where possible in money. */
  readonly meaning: string
  readonly remedy: string
  /** The `meaning` and `remedy` for a failure with this symptom, instead of the general texts. */
  readonly explanations?: { readonly [Each in Symptom]?: Pick<Check<Context>, 'meaning' | 'remedy'> }
  /** True if the check expects a rejection or no effect. The receiver must accept a valid delivery before and after the check. */
  readonly negative?: true
  /** `address` for a check that tests URLs or certificates. An `address` check runs even if the receiver is unreachable. */
  readonly probes?: 'address'
  /** True for a slow check. Slow checks start before other checks. */
  readonly takesLong?: true
  readonly alone?: true
  /** True if the check starts with the run and ends after all other checks. */
  readonly spansRun?: true
  /** Runs the check. A receiver error becomes a finding and never rejects the promise. */
  run(context: Context): Promise<Finding>
}

/** Returns the level of the observations: 0 for answers, 1 for calls back, 2 for effects, 3 for the process. */
export function requiredLevel({ needs = [] }: Pick<Check<never>, 'needs'>): 0 | 1 | 2 | 3 {
  if (needs.includes('process')) return 3
  if (needs.includes('effects')) return 2
  return needs.includes('calls') ? 1 : 0
}
