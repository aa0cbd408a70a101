/** What a check has found out. */
export type Finding = Passed | Failed | Inconclusive | NotObservable

export interface Passed {
  readonly kind: 'passed'
  /** What could not be seen, although the check asks for it too. */
  readonly unseen?: string
}

export interface Failed {
  readonly kind: 'failed'
  readonly expected: string
  readonly actual: string
}

/** What happened says nothing about the requirement. */
export interface Inconclusive {
  readonly kind: 'inconclusive'
  /** The receiver was never reached, or it failed at what the requirement builds on. */
  readonly cause: 'unreachable' | 'control-failed'
  readonly why: string
}

/** What it takes to see it is not configured, or the receiver has none of it. */
export interface NotObservable {
  readonly kind: 'not-observable'
  readonly why: string
}

export const PASSED: Passed = { kind: 'passed' }

export function failed(expected: string, actual: string): Failed {
  return { kind: 'failed', expected, actual }
}

export function notObservable(why: string): NotObservable {
  return { kind: 'not-observable', why }
}

export function controlFailed(why: string): Inconclusive {
  return { kind: 'inconclusive', cause: 'control-failed', why }
}

export function unreachable(why: string): Inconclusive {
  return { kind: 'inconclusive', cause: 'unreachable', why }
}

/** Takes one look after the other, up to the first that finds something; passed if none does. */
export async function firstOf(
  ...looks: readonly (() => Finding | undefined | Promise<Finding | undefined>)[]
): Promise<Finding> {
  for (const look of looks) {
    const finding = await look()
    if (finding) return finding
  }
  return PASSED
}
