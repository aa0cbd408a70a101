import type { ReportOptions } from '../report/report.ts'
import { whyOf } from '../report/report.ts'
import { checkText } from '../report/text.ts'
import type { CheckResult } from '../run/run-result.ts'

/** A check that was put to the receiver and is not met; its message is the whole report of it. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'

  constructor(message: string) {
    super(message)
    // Where it was thrown says nothing about the receiver.
    this.stack = `${this.name}: ${message}`
  }
}

export interface Strictness extends ReportOptions {
  /** The least severe failure that fails its test. */
  readonly failOn: 'must' | 'should'
}

/** Why the test is to be skipped; undefined if the check is met. Throws ReceiverError if it is not. */
export function judged(result: CheckResult, { failOn, repeat }: Strictness): string | undefined {
  const { check, verdict, knownFailure } = result
  const error = () => new ReceiverError(`\n${checkText(result, { repeat })}`)
  switch (verdict) {
    case 'passed':
      if (!knownFailure) return undefined
      throw new ReceiverError(`${check.id} is known to fail, but passes: take it out of knownFailures`)
    case 'failed':
      if (knownFailure) return `known to fail: ${whyOf(result)}`
      if (failOn === 'must' && check.severity === 'should') return `failed, but is no must: ${whyOf(result)}`
      throw error()
    case 'inconclusive':
      throw error()
    case 'not-observable':
      return `not observable: ${whyOf(result)}`
    case 'skipped':
      return whyOf(result)
    default:
      return verdict satisfies never
  }
}
