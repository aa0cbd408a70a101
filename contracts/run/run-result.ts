import type { Need } from '../check.ts'
import type { Exchange, Finding, ObjectRef } from '../finding.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'
import type { Consequence } from '../toolkit/consequences.ts'
import type { EffectState, SeenDelay } from '../toolkit/ports.ts'
import type { RequestRecord } from '../../spec/generated/control-types.ts'
import type { PaymentKind } from '../../spec/payments.ts'

/** An event of a check. `atMs` counts real milliseconds since the start of the check. */
export type RunEvent =
  | { readonly kind: 'sent'; readonly atMs: number; readonly exchange: Exchange }
  | {
      readonly kind: 'effects'
      readonly atMs: number
      readonly target: ObjectRef
      readonly seen: EffectState
    }
  | { readonly kind: 'called'; readonly atMs: number; readonly request: RequestRecord }
  /** A change that the check made in the service, such as a fault, described in one sentence. */
  | {
      readonly kind: 'world'
      readonly atMs: number
      readonly text: string
      readonly about: readonly { readonly type: string; readonly id: string }[]
    }

export type EventOf<Kind extends RunEvent['kind']> = Extract<RunEvent, { readonly kind: Kind }>

/** `skipped` means that the check does not apply to the configuration. */
export type Verdict = Finding['kind'] | 'skipped'

/** The result of one check, with its events. */
export interface CheckResult {
  readonly check: ReceiverCheck
  readonly verdict: Verdict
  readonly finding: Finding | undefined
  /** The missing settings. A check with missing settings does not run. */
  readonly missing: readonly Need[]
  /** The payment kinds whose consequence the check has judged. */
  readonly judged: readonly PaymentKind[]
  /** The events in chronological order. */
  readonly events: readonly RunEvent[]
  readonly tookMs: number
  /** True if the check is expected to fail. If such a check fails, the run does not fail. If the check passes, the run fails. */
  readonly knownFailure: boolean
}

export interface JudgedConsequence extends Consequence {
  readonly kind: PaymentKind
  readonly isConfigured: boolean
  /** True if the run included every check and effects were observable. */
  readonly isLookedFor: boolean
  readonly judgedBy: readonly string[]
  /** The reason why no check judged the consequence. Null if a check judged the consequence. */
  readonly obstacle: string | null
  /** True if the run had to judge the consequence, but no check judged it. */
  readonly isMissed: boolean
}

/** The result of a run of checks. */
export interface RunResult {
  /** The URL of the receiver. `{object_type}` is a placeholder for the type. */
  readonly receiver: string
  readonly seed: number
  /** The highest level of observation: 0 for answers, 1 for calls back, 2 for effects, 3 for the process. */
  readonly level: 0 | 1 | 2 | 3
  /** The readings of the run, by name. See spec/readings.yaml. */
  readonly readings: Readonly<Record<string, string>>
  /** The results in the order of the catalogue. */
  readonly results: readonly CheckResult[]
  /** The consequence of each kind of payment that the platform uses. */
  readonly consequences: readonly JudgedConsequence[]
  /**
   * The reason why the receiver was unreachable at the start. If set, most checks did not run. Null if the receiver was reached.
   */
  readonly unreached: string | null
  readonly serviceUrl: string
  /** The name of a world of a running sandbox. `new` means a world created for the run. Null for the default world. */
  readonly world: string | null
  readonly startedAt: string
  readonly tookMs: number
  /** The delay of effects. Null if effects are not observable. */
  readonly effectDelay: SeenDelay | null
}

/** The verdict in reports. `partly-observed` is a pass with an unobserved part. */
export type ReportedVerdict = Verdict | 'partly-observed'

export function reportedVerdict(result: Pick<CheckResult, 'verdict' | 'finding'>): ReportedVerdict {
  const { verdict, finding } = result
  const isPart = finding?.kind === 'passed' && finding.unobserved !== undefined
  return verdict === 'passed' && isPart ? 'partly-observed' : verdict
}

export type VerdictCounts = { readonly [Each in ReportedVerdict]: number }

export function countVerdicts({ results }: Pick<RunResult, 'results'>): VerdictCounts {
  const count = (verdict: ReportedVerdict) =>
    results.filter((result) => reportedVerdict(result) === verdict).length
  return {
    passed: count('passed'),
    'partly-observed': count('partly-observed'),
    failed: count('failed'),
    'not-observable': count('not-observable'),
    inconclusive: count('inconclusive'),
    skipped: count('skipped'),
  }
}

type NewEvent = RunEvent extends infer Each ? (Each extends RunEvent ? Omit<Each, 'atMs'> : never) : never

/** Creates the log of a check. `elapsed` returns real milliseconds of a monotonic clock. */
export function createExchangeLog(elapsed: () => number) {
  const startedAt = elapsed()
  const events: RunEvent[] = []
  const now = () => elapsed() - startedAt
  return {
    events,
    /** Returns the milliseconds since the check started. */
    now,
    /** Adds an event to the log. `atMs` defaults to the current time. */
    add(event: NewEvent, atMs = now()) {
      events.push({ ...event, atMs })
    },
  }
}

export type ExchangeLog = ReturnType<typeof createExchangeLog>
