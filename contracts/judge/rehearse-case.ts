import { dirname, resolve } from 'node:path'
import { caseCheck } from '../checks/oracle/index.ts'
import type { Config } from '../config/config.ts'
import { configContext } from '../config/config-context.ts'
import { createRunOptions } from '../config/run-options.ts'
import { explainVerdict } from '../report/report.ts'
import { runChecks } from '../run/run-checks.ts'
import type { Verdict } from '../run/run-result.ts'
import { parseCase, type ExploredCase } from '../explored-case.ts'
import { checkArgument, readConfigFile } from '../../sandbox/internal.ts'
import { withRegisteredReceiver } from './registered-receiver.ts'

/** What came of a case. */
export interface CaseResult {
  readonly verdict: Verdict
  readonly expected: string | null
  /** What the receiver did instead, or why there is no verdict; null if it passed. */
  readonly actual: string | null
}

const CASE = {
  takes: 'a case as the report of check prints it',
  fits: (given: unknown) => parseCase(given) !== undefined,
}

/**
 * Plays a case that an exploration found. `config` is a configuration, or the name of its file. Throws UsageError, with the remedy, for
 * what cannot be played.
 */
export async function rehearseCase(config: Config | string, plan: ExploredCase): Promise<CaseResult> {
  checkArgument('call rehearseCase()', ['case', CASE], plan)
  const isFile = typeof config === 'string'
  const context = configContext({
    name: isFile ? `config "${config}"` : 'what rehearseCase() is given',
    folder: isFile ? dirname(resolve(config)) : '.',
  })
  const given = isFile ? await readConfigFile(config) : { ...config }
  const options = createRunOptions(await withRegisteredReceiver({ ...given }, context), context)
  const { results } = await runChecks(options, { checks: [caseCheck(plan)] })
  const [result] = results
  if (!result) throw new RangeError('Cannot judge the case: its check has no result')
  const { verdict, finding } = result
  return {
    verdict,
    expected: finding?.kind === 'failed' ? finding.expected : null,
    actual: verdict === 'passed' ? null : explainVerdict(result),
  }
}
