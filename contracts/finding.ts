import type { ExchangeDetail, ExchangeFlag, RequestRecord } from '../spec/generated/control-types.ts'
import type { NotifiedType } from '../spec/notifications.ts'
import type { ExploredCase } from './explored-case.ts'

/** A reference to an object of the service: the type and the id in notifications. */
export interface ObjectRef {
  readonly type: NotifiedType
  readonly id: string
}

export function isSameObject(one: ObjectRef | undefined, other: ObjectRef | undefined): boolean {
  return one?.type === other?.type && one?.id === other?.id
}

/** A request to the receiver, and the response. */
export interface Exchange {
  readonly label: string
  readonly about?: ObjectRef
  /** A control request shows that the receiver accepts valid requests. */
  readonly role?: 'control'
  /** True if the request is an unchanged notification of the service. */
  readonly isUsual?: true
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly (readonly [name: string, value: string])[]
    /** The body, decoded as UTF-8. */
    readonly body: string
  }
  /** The HTTP status. Null if there was no response. */
  readonly status: number | null
  /** The reason why there was no response. Null if there was a response. */
  readonly reason: string | null
  /** One sentence that describes the response or the error. */
  readonly message: string
  readonly flags: readonly ExchangeFlag[]
  /** The time until the status line or the error, in real milliseconds. */
  readonly tookMs: number
  readonly response: ExchangeDetail['response']
}

/** Returns the exchange of a POST that got no answer. */
export function unansweredExchange(
  label: string,
  { method = 'POST', url, headers = [], body = '' }: Partial<Exchange['request']> & { readonly url: string },
  { reason, message }: { readonly reason: string; readonly message: string },
): Exchange {
  const request = { method, url, headers, body }
  return { label, request, status: null, reason, message, flags: [], tookMs: 0, response: null }
}

/** The evidence of a finding. Reports show only events that belong to this evidence. */
export interface Evidence {
  readonly exchanges?: readonly Exchange[]
  /** The object that decided the finding, then the other objects of the same payment. */
  readonly objects?: readonly ObjectRef[]
  /** The deciding calls, which concern objects that no check has created. */
  readonly calls?: readonly RequestRecord[]
  /** The field of the request body that decided the finding. Reports show an excerpt of the body around this field. */
  readonly field?: string
}

/** The kind of wrong effect: too few effects, too many effects, an effect without reason, or a wrong state at the receiver. */
export type Symptom = 'missing-effect' | 'repeated-effect' | 'undue-effect' | 'other-state'

/** The finding of a check about a receiver. */
export type Finding = Passed | Failed | Inconclusive | NotObservable

export interface Passed {
  readonly kind: 'passed'
  /** The parts of the requirement that the check could not observe. */
  readonly unobserved?: string
  /** The extent of an exploration, such as `412 worlds, 93 % of pairs`. */
  readonly detail?: string
}

export interface Failed {
  readonly kind: 'failed'
  readonly expected: string
  readonly actual: string
  readonly evidence: Evidence
  readonly symptom?: Symptom
  /** The smallest failing case that the exploration has found. */
  readonly counterexample?: Counterexample
}

export interface Counterexample {
  /** A description of the events of the case, in at most ten lines. */
  readonly story: readonly string[]
  readonly plan: ExploredCase
}

/** A finding without a verdict, because a problem outside the requirement prevented the check from judging the receiver. */
export interface Inconclusive {
  readonly kind: 'inconclusive'
  /** The cause: the receiver was unreachable, a control request failed, or a probe failed. */
  readonly cause: 'unreachable' | 'control-failed' | 'probe-failed'
  readonly why: string
  readonly evidence: Evidence
  /** The symptom of the failed control request. */
  readonly symptom?: Symptom
  /** The ids of checks that explain the cause. */
  readonly see?: readonly string[]
}

/** A finding of a check that could not run, because a setting or a URL is missing. */
export interface NotObservable {
  readonly kind: 'not-observable'
  readonly why: string
}

export const PASSED: Passed = { kind: 'passed' }

/** Returns a failure. The evidence is empty only if the check sent no request. */
export function failed(expected: string, actual: string, evidence: Evidence): Failed {
  return { kind: 'failed', expected, actual, evidence }
}

/** Adds a symptom to the failure. Derives the symptom from the observed and the expected number of effects. */
export function withSymptom(finding: Failed, seen: number, expected: number): Failed {
  if (seen < expected) return { ...finding, symptom: 'missing-effect' }
  return { ...finding, symptom: expected === 0 ? 'undue-effect' : 'repeated-effect' }
}

export function notObservable(why: string): NotObservable {
  return { kind: 'not-observable', why }
}

export function controlFailed(
  why: string,
  evidence: Evidence,
  more: Pick<Inconclusive, 'symptom' | 'see'> = {},
): Inconclusive {
  return { kind: 'inconclusive', cause: 'control-failed', why, evidence, ...more }
}

export function unreachable(why: string, ...exchanges: readonly Exchange[]): Inconclusive {
  return { kind: 'inconclusive', cause: 'unreachable', why, evidence: { exchanges } }
}

/** Returns an inconclusive finding, because a probe or a command of the configuration failed. */
export function probeFailed(why: string): Inconclusive {
  return { kind: 'inconclusive', cause: 'probe-failed', why, evidence: {} }
}

export function passedExcept(...unobserved: readonly (string | undefined)[]): Passed {
  const texts = new Set(unobserved.filter((text) => text !== undefined))
  return texts.size === 0 ? PASSED : { kind: 'passed', unobserved: [...texts].join('; ') }
}

/** Adds the unobserved parts to a passed finding. An undefined finding counts as passed. */
export function withUnobserved(
  finding: Finding | undefined,
  ...unobserved: readonly (string | undefined)[]
): Finding {
  return !finding || finding.kind === 'passed' ? passedExcept(finding?.unobserved, ...unobserved) : finding
}

/**
 * Combines findings in order. An unreachable receiver has priority over failures, and a failure has priority over inconclusive
 * findings. Without findings, returns "not observable".
 */
export function combineFindings(
  parts: readonly (Finding | undefined)[],
  ...unobserved: readonly (string | undefined)[]
): Finding {
  const findings = parts.filter((part) => part !== undefined)
  const inconclusive = findings.filter((part) => part.kind === 'inconclusive')
  const lost = inconclusive.find(({ cause }) => cause === 'unreachable')
  if (lost) return lost
  const failures = findings.filter((part) => part.kind === 'failed')
  const [first] = failures
  if (first) return withCount(first, failures.length, parts.length)
  if (inconclusive[0]) return inconclusive[0]
  const blind = findings.filter((part) => part.kind === 'not-observable')
  if (blind.length === parts.length) {
    return (
      blind[0] ?? notObservable(passedExcept(...unobserved).unobserved ?? 'No part of the check was observed')
    )
  }
  return passedExcept(
    ...unobserved,
    ...findings.map((part) =>
      part.kind === 'passed' ? part.unobserved : 'why' in part ? part.why : undefined,
    ),
  )
}

function withCount(first: Failed, failures: number, tries: number): Failed {
  if (failures === 1) return first
  return { ...first, actual: `${first.actual} (the first of ${failures} failures in ${tries} tries)` }
}
