import { catalogue } from '../catalogue.ts'
import { configContext } from '../config/config-context.ts'
import type { Config } from '../config/config.ts'
import { createRunOptions } from '../config/run-options.ts'
import { checkText } from '../report/check-text.ts'
import { describeMissed } from '../report/headline.ts'
import { explainVerdict } from '../report/report.ts'
import { openRun, type Run } from '../run/open-run.ts'
import { judgeByConfiguration } from '../run/run-check.ts'
import type { CheckResult, JudgedConsequence } from '../run/run-result.ts'
import { planChecks, selectChecks } from '../run/select.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'

export const CONCLUSION = 'consequences: Every object that your platform acts on was judged.'

export const TEST_LIMIT_MS = 120_000

/** Creates the run that all tests share. `repeat` returns the command that repeats one test. Throws UsageError. */
export function createSharedRun(config: Config, repeat: (id: string) => string) {
  const context = configContext({ name: 'the argument of describeReceiver()', folder: '.' })
  const options = createRunOptions(config, context)
  const plan = planChecks(selectChecks(catalogue, options.checks))
  const results: CheckResult[] = []
  let run: Run | undefined
  return {
    plan,
    title: 'the receiver',
    skipReason(check: ReceiverCheck) {
      const early = judgeByConfiguration(check, options)
      return early && describeSkip(early)
    },
    isKnownFailure: ({ id }: ReceiverCheck) => options.knownFailures.includes(id),
    /** Opens the run. The message of each error names a remedy. */
    async open() {
      run = await openRun(options)
      for (const check of plan.last) await run.begin(check)
    },
    async close() {
      await run?.close()
    },
    /** Returns the reason to skip the test, or undefined after a pass. Throws ReceiverError after a failure. */
    async test(check: ReceiverCheck) {
      if (!run) throw new Error('Cannot run a check: the run is not open')
      const repeatWithSeed = (id: string) => `${repeat(id)}    with seed: ${options.seed}`
      const result = await run.check(check)
      results.push(result)
      return toTestOutcome(result, { failOn: options.failOn, repeat: repeatWithSeed })
    },
    /** Throws ReceiverError if a configured consequence was not judged. */
    async conclude() {
      if (!run) return
      // The consequences also depend on the checks that the configuration excludes.
      const isLeft = (check: ReceiverCheck) => !results.some((result) => result.check === check)
      const left = [...plan.first, ...plan.alone, ...plan.last].filter(isLeft)
      const skipped = left.filter((check) => judgeByConfiguration(check, options))
      for (const check of skipped) results.push(await run.check(check))
      requireJudged(run.consequences(results))
    },
  }
}

export type SharedRun = ReturnType<typeof createSharedRun>

/** The error of a failed check. The error message is the complete report. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'

  constructor(message: string) {
    super(message)
    // Replaces the stack trace, because the stack trace does not describe the receiver's failure.
    this.stack = `${this.name}: ${message}`
  }
}

/** Throws ReceiverError if a required consequence was not judged. */
export function requireJudged(consequences: readonly JudgedConsequence[]): void {
  if (!consequences.some(({ isMissed }) => isMissed)) return
  throw new ReceiverError(describeMissed({ consequences }).flat().join('\n  '))
}

/** Returns the reason to skip the test, or undefined after a pass. Throws ReceiverError after a failure. */
export function toTestOutcome(
  result: CheckResult,
  { failOn, repeat }: { readonly failOn: 'must' | 'should'; readonly repeat: (id: string) => string },
): string | undefined {
  const { check, verdict, knownFailure } = result
  const error = () => new ReceiverError(`\n${checkText(result, { repeat })}`)
  switch (verdict) {
    case 'passed':
      if (!knownFailure) return undefined
      throw new ReceiverError(`${check.id} is known to fail, but passes. Remove it from knownFailures`)
    case 'failed':
      if (knownFailure) return `known to fail: ${explainVerdict(result)}`
      if (failOn === 'must' && check.severity === 'should')
        return `failed, but is not required: ${explainVerdict(result)}`
      throw error()
    case 'inconclusive':
      throw error()
    case 'not-observable':
    case 'skipped':
      return describeSkip(result)
    default:
      return verdict satisfies never
  }
}

function describeSkip(result: Pick<CheckResult, 'verdict' | 'finding' | 'missing'>): string {
  const why = explainVerdict(result)
  return result.verdict === 'not-observable' ? `not observable: ${why}` : why
}
