import type { ExchangeDetail, ExchangeFlag, RequestRecord } from '../spec/generated/control-types.ts'
import type { NotifiedType } from '../spec/notifications.ts'
import type { ExploredCase } from './explored-case.ts'

/** An object of the service, by the id that it is notified under. */
export interface ObjectRef {
  readonly type: NotifiedType
  readonly id: string
}

/** A request to the receiver, and what came back. */
export interface Exchange {
  readonly label: string
  /** The object that the request is about, if there is one. */
  readonly about?: ObjectRef
  /** A control shows that the receiver accepts what it should; no requirement is about it. */
  readonly role?: 'control'
  /** It is a notification as the service sends it on any day: nothing about it is unusual. */
  readonly isUsual?: true
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly (readonly [name: string, value: string])[]
    /** Read as UTF-8. */
    readonly body: string
  }
  /** The HTTP status. Null without a response. */
  readonly status: number | null
  /** Why there was no answer; null if there was one. */
  readonly reason: string | null
  /** One sentence for a person. */
  readonly message: string
  readonly flags: readonly ExchangeFlag[]
  /** Real milliseconds until the status line; until the end where there was none. */
  readonly tookMs: number
  readonly response: ExchangeDetail['response']
}

/** The exchanges, objects and calls that decided a finding. Reports show these, and nothing else. */
export interface Evidence {
  readonly exchanges?: readonly Exchange[]
  /** The object that decided comes first; the others belong to the same payment. */
  readonly objects?: readonly ObjectRef[]
  /** Calls of the receiver, for another object than any that the check made. */
  readonly calls?: readonly RequestRecord[]
  /** The name of the field in the request body that decided. Reports of a long body show the part around the field. */
  readonly field?: string
}

/**
 * A symptom that a program can group by: too few effects, more than one instead of one, any instead of none, or belief in
 * another state than the object's.
 */
export type Symptom = 'missing-effect' | 'repeated-effect' | 'undue-effect' | 'other-state'

/** What a check has found out. */
export type Finding = Passed | Failed | Inconclusive | NotObservable

export interface Passed {
  readonly kind: 'passed'
  /** What could not be observed, although the check asks for it too. */
  readonly unobserved?: string
  /** How much was looked at, for a check whose extent differs: `412 worlds, 93 % of pairs`. */
  readonly detail?: string
}

export interface Failed {
  readonly kind: 'failed'
  readonly expected: string
  readonly actual: string
  readonly evidence: Evidence
  /** Undefined where it is about something else. */
  readonly symptom?: Symptom
  /** The smallest case that fails, for a check that searches for one. */
  readonly counterexample?: Counterexample
}

export interface Counterexample {
  /** At most ten lines for a person. */
  readonly story: readonly string[]
  readonly plan: ExploredCase
}

/** What happened says nothing about the requirement. */
export interface Inconclusive {
  readonly kind: 'inconclusive'
  /** The receiver was never reached, it failed at what the requirement builds on, or what shows or handles it did. */
  readonly cause: 'unreachable' | 'control-failed' | 'probe-failed'
  readonly why: string
  readonly evidence: Evidence
  /** Of the control. */
  readonly symptom?: Symptom
  /** The ids of the checks that tell why; none if it is said here. */
  readonly see?: readonly string[]
}

/** What it takes to observe it is not configured, or the receiver has no URL for it. */
export interface NotObservable {
  readonly kind: 'not-observable'
  readonly why: string
}

export const PASSED: Passed = { kind: 'passed' }

/** The evidence is empty only where nothing was sent. */
export function failed(expected: string, actual: string, evidence: Evidence): Failed {
  return { kind: 'failed', expected, actual, evidence }
}

/** A failure in what was done: how often, and how often it should have been. */
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

/** What the check would have looked at, or done to the receiver, did not work. */
export function probeFailed(why: string): Inconclusive {
  return { kind: 'inconclusive', cause: 'probe-failed', why, evidence: {} }
}

/** Passed, except for what could not be observed. */
export function passedExcept(...unobserved: readonly (string | undefined)[]): Passed {
  const texts = new Set(unobserved.filter((text) => text !== undefined))
  return texts.size === 0 ? PASSED : { kind: 'passed', unobserved: [...texts].join('; ') }
}

/** The finding; of one that has passed, with what could not be observed. */
export function withUnobserved(finding: Finding, ...unobserved: readonly (string | undefined)[]): Finding {
  return finding.kind === 'passed' ? passedExcept(finding.unobserved, ...unobserved) : finding
}

/** Makes one look after the other, up to the first that finds something; passed if none does. */
export async function firstFinding(
  ...looks: readonly (() => Finding | undefined | Promise<Finding | undefined>)[]
): Promise<Finding> {
  for (const look of looks) {
    const finding = await look()
    if (finding) return finding
  }
  return PASSED
}

/**
 * One finding out of those of several parts, in their order. A receiver that was not there outweighs what it seems to have got
 * wrong, and a failure outweighs what could not be judged. Without any part there is nothing to observe.
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
    return blind[0] ?? notObservable(passedExcept(...unobserved).unobserved ?? 'Nothing is left to look at')
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
