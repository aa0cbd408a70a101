import { catalogue } from './catalogue.ts'
import { configContext } from './config/config-context.ts'
import type { Config } from './config/config.ts'
import { createRunOptions } from './config/run-options.ts'
import { runChecks as run } from './run/run-checks.ts'
import type { CheckResult, RunResult } from './run/run-result.ts'
import { selectChecks } from './run/select.ts'

export type { Config } from './config/config.ts'
export type { Evidence, Exchange, Finding, ObjectRef } from './finding.ts'
export type { CheckResult, RunEvent, RunResult, Verdict } from './run/run-result.ts'
export type { ExploredCase } from './explored-case.ts'
export { rehearseCase, type CaseResult } from './judge/rehearse.ts'
export { rehearse, type RehearsalRequest, type RehearsalResult } from './judge/rehearse.ts'

/**
 * Runs the checks and returns their results. Calls `onResult` after each check. In a test runner, use `describeReceiver` from
 * `hookbench/vitest`, `node-test` or `globals` instead. Throws UsageError for an invalid configuration.
 */
export async function runChecks(
  config: Config,
  { onResult }: { readonly onResult?: (result: CheckResult) => void } = {},
): Promise<RunResult> {
  const context = configContext({ name: 'the argument of runChecks()', folder: '.' })
  const options = createRunOptions(config, context)
  return run(options, { checks: selectChecks(catalogue, options.checks), ...(onResult && { onResult }) })
}
