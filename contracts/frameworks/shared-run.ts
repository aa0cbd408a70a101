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
import { planChecks, selectChecks, type CheckPlan } from '../run/select.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'

/** The checks of one test file, and the run that its tests share. */
export interface SharedRun {
  readonly plan: CheckPlan
  readonly title: string
  /** Why the configuration alone says that the check cannot be judged; undefined if it is put to the receiver. */
  skipReason(check: ReceiverCheck): string | undefined
  /** Whether the configuration says that it fails. */
  isKnownFailure(check: ReceiverCheck): boolean
  /** Throws what keeps the run from beginning, with the remedy. */
  open(): Promise<void>
  close(): Promise<void>
  /** Why the test is to be skipped; undefined if the check has passed. Throws ReceiverError if it has not. */
  test(check: ReceiverCheck): Promise<string | undefined>
  /** To be called after all of them. Throws ReceiverError if what the platform acts on had to be judged, and was not. */
  conclude(): Promise<void>
}

/** The name of the test that concludes the run. */
export const CONCLUSION = 'consequences: Every object that your platform acts on was judged.'

/** How long one check may take before the test runner gives up; real milliseconds. */
export const TEST_LIMIT_MS = 120_000

/** `repeat` is the command that runs the test of one check again. Throws UsageError for a wrong configuration. */
export function createSharedRun(config: Config, repeat: (id: string) => string): SharedRun {
  const context = configContext({ name: 'what describeReceiver() is given', folder: '.' })
  const options = createRunOptions(config, context)
  const plan = planChecks(selectChecks(catalogue, options.checks))
  const results: CheckResult[] = []
  let run: Run | undefined
  return {
    plan,
    title: 'the receiver',
    skipReason(check) {
      const early = judgeByConfiguration(check, options)
      return early && describeSkip(early)
    },
    isKnownFailure: ({ id }) => options.knownFailures.includes(id),
    async open() {
      run = await openRun(options)
      for (const check of plan.last) await run.begin(check)
    },
    async close() {
      await run?.close()
    },
    async test(check) {
      if (!run) throw new Error('Cannot run a check: the run is not open')
      const repeatWithSeed = (id: string) => `${repeat(id)}    with seed: ${options.seed}`
      const result = await run.check(check)
      results.push(result)
      return toTestOutcome(result, { failOn: options.failOn, repeat: repeatWithSeed })
    },
    async conclude() {
      if (!run) return
      // A run of all checks is one with those that were skipped from the start; they take no time.
      const isLeft = (check: ReceiverCheck) => !results.some((result) => result.check === check)
      const left = [...plan.first, ...plan.alone, ...plan.last].filter(isLeft)
      const skipped = left.filter((check) => judgeByConfiguration(check, options))
      for (const check of skipped) results.push(await run.check(check))
      requireJudged(run.consequences(results))
    },
  }
}

/** A check that has not passed; its message is the whole report of it. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'

  constructor(message: string) {
    super(message)
    // Where it was thrown says nothing about the receiver.
    this.stack = `${this.name}: ${message}`
  }
}

/** Throws ReceiverError if one had to be judged, and was not. */
export function requireJudged(consequences: readonly JudgedConsequence[]): void {
  if (!consequences.some(({ isMissed }) => isMissed)) return
  const { sentence, details } = describeMissed({ consequences })
  throw new ReceiverError([sentence, ...details].join('\n  '))
}

interface TestOptions {
  /** The least severe failure that fails its test. */
  readonly failOn: 'must' | 'should'
  readonly repeat: (id: string) => string
}

/** Why the test is to be skipped; undefined if the check has passed. Throws ReceiverError if it has not. */
export function toTestOutcome(result: CheckResult, { failOn, repeat }: TestOptions): string | undefined {
  const { check, verdict, knownFailure } = result
  const error = () => new ReceiverError(`\n${checkText(result, { repeat })}`)
  switch (verdict) {
    case 'passed':
      if (!knownFailure) return undefined
      throw new ReceiverError(`${check.id} is known to fail, but passes: remove it from knownFailures`)
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
