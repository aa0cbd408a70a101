import type { Need } from '../check.ts'
import type { Exchange, Finding, ObjectRef } from '../finding.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'
import type { Consequence } from '../toolkit/consequences.ts'
import type { EffectState, SeenDelay } from '../toolkit/ports.ts'
import type { RequestRecord } from '../../spec/generated/control-types.ts'
import type { PaymentKind } from '../../spec/payments.ts'

/** Something that happened while a check ran; `atMs` is real time since the check began. */
export type RunEvent =
  | { readonly kind: 'sent'; readonly atMs: number; readonly exchange: Exchange }
  | {
      readonly kind: 'effects'
      readonly atMs: number
      readonly target: ObjectRef
      readonly seen: EffectState
    }
  | { readonly kind: 'called'; readonly atMs: number; readonly request: RequestRecord }
  /** What was done to the service, in one sentence: a payment's step, a fault. */
  | {
      readonly kind: 'world'
      readonly atMs: number
      readonly text: string
      readonly about: readonly { readonly type: string; readonly id: string }[]
    }

/** `skipped`: the configuration has no place for it. */
export type Verdict = Finding['kind'] | 'skipped'

/** What one check came to. */
export interface CheckResult {
  readonly check: ReceiverCheck
  readonly verdict: Verdict
  /** Undefined if it was skipped. */
  readonly finding: Finding | undefined
  /** What it needs and the configuration does not have; then it was not run. */
  readonly missing: readonly Need[]
  /** The kinds of payment of which it saw whether your platform acts on them when it should. */
  readonly judged: readonly PaymentKind[]
  /** Oldest first. */
  readonly events: readonly RunEvent[]
  readonly tookMs: number
  /** Known to fail, by the configuration: then a failure does not fail the run, and a pass does. */
  readonly knownFailure: boolean
}

/** What your platform acts on in a kind of payment, and whether that was judged. */
export interface JudgedConsequence extends Consequence {
  readonly kind: PaymentKind
  readonly isConfigured: boolean
  /** Whether the run had every check, and saw effects. */
  readonly isLookedFor: boolean
  /** The ids of the checks that judged it. */
  readonly judgedBy: readonly string[]
  /** Why none did; null if one did. */
  readonly obstacle: string | null
  /** It had to be judged in this run, and was not: then what passed does not say that money moves once. */
  readonly isMissed: boolean
}

/** What a run of checks came to. */
export interface RunResult {
  /** The template of its URL. */
  readonly receiver: string
  readonly seed: number
  /** The most that could be observed: 0 answers, 1 calls back, 2 effects, 3 the process. */
  readonly level: 0 | 1 | 2 | 3
  /** What was chosen of the readings. */
  readonly readings: Readonly<Record<string, string>>
  /** In the order of the catalogue, however they ran. */
  readonly results: readonly CheckResult[]
  /** One for each kind of payment that your platform has a use for. */
  readonly consequences: readonly JudgedConsequence[]
  /** Why it could not be reached when the run began; null if it could. Then most checks were not run. */
  readonly unreached: string | null
  /** Where the receiver was to ask back. */
  readonly serviceUrl: string
  /** The world of a sandbox that runs, where one was named; `new` for one of the run's own. */
  readonly world: string | null
  readonly startedAt: string
  readonly tookMs: number
  /** How late effects came; null where they are not observable. */
  readonly effectDelay: SeenDelay | null
}

/** The verdict as reports name it: `partly-observed` for a check that passed, except for a part that could not be observed. */
export type ReportedVerdict = Verdict | 'partly-observed'

export function reportedVerdict({
  verdict,
  finding,
}: Pick<CheckResult, 'verdict' | 'finding'>): ReportedVerdict {
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

/** What happens in one check's run, in order. */
export interface ExchangeLog {
  readonly events: readonly RunEvent[]
  /** Milliseconds since the check began. */
  now(): number
  /** `atMs` is when it began; now if left out. */
  add(event: NewEvent, atMs?: number): void
}

/** Creates a log of exchanges. `elapsed` returns real milliseconds of a monotonic clock. */
export function createExchangeLog(elapsed: () => number): ExchangeLog {
  const startedAt = elapsed()
  const events: RunEvent[] = []
  const now = () => elapsed() - startedAt
  return {
    events,
    now,
    add(event, atMs = now()) {
      events.push({ ...event, atMs })
    },
  }
}
