import { caseCheck } from '../checks/oracle/index.ts'
import { CONFIG_DEFAULTS } from '../../spec/generated/config-schemas.ts'
import { readConfig } from '../config/config-context.ts'
import type { Config } from '../config/config.ts'
import { createRunOptions } from '../config/run-options.ts'
import { parseCase, type ExploredCase } from '../explored-case.ts'
import { withRegisteredReceiver } from './registered-receiver.ts'
import { toRehearsalResult } from '../report/rehearsal.ts'
import { configLiteral } from '../report/repeat.ts'
import { explainVerdict } from '../report/report.ts'
import { branchContext } from '../run/receiver-urls.ts'
import { withRun } from '../run/open-run.ts'
import { conductRehearsal, type RehearsalOutcome, type RehearsalWishes } from '../run/rehearse.ts'
import { runChecks } from '../run/run-checks.ts'
import type { Verdict } from '../run/run-result.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { planRehearsal, type RehearsalPlan, type RehearsalWish } from '../toolkit/rehearsal-plan.ts'
import { checkArgument, isObjectWith, quoteForShell } from '../../sandbox/internal.ts'
import type { RehearsalRequest, RehearsalResult } from '../../spec/generated/control-types.ts'

export type { RehearsalRequest, RehearsalResult } from '../../spec/generated/control-types.ts'

const REQUEST = {
  takes: "an object with a kind of payment, such as { kind: 'card-payin' }",
  fits: (given: unknown) => isObjectWith(given, { kind: 'string' }),
}

/**
 * Plays a payment and notifies your receiver in the given order. `config` is a configuration or a file name. Without a receiver
 * in the configuration, uses the registered receiver of the running sandbox. Throws UsageError for an impossible rehearsal.
 */
export async function rehearse(
  config: Config | string,
  rehearsal: RehearsalRequest,
): Promise<RehearsalResult> {
  checkArgument('call rehearse()', ['request', REQUEST], rehearsal)
  const { shrink = false, ...request } = rehearsal
  const options = await openConfig(config, 'rehearse()')
  const outcome = await rehearseWith(options, request, { shrinks: shrink })
  const isFile = typeof config === 'string'
  const command = `npx hookbench rehearse ${request.kind}${isFile ? ` --config ${quoteForShell(config)}` : ''}`
  const repeat = { request, command, config: isFile ? configLiteral(config) : 'config' }
  return toRehearsalResult(outcome, { options, repeat })
}

async function openConfig(config: Config | string, caller: string): Promise<RunOptions> {
  const [file, argument] = typeof config === 'string' ? [config] : [undefined, config]
  const { config: given, context } = await readConfig(file, `the argument of ${caller}`)
  return createRunOptions(await withRegisteredReceiver({ ...given, ...argument }, context), context)
}

/** The default window in milliseconds. The window of `check` is longer, because no person is waiting for the result. */
const WINDOW_MS = 300

/** Rejects an impossible rehearsal before the sandbox and the probes start. */
export async function rehearseWith(
  options: RunOptions,
  request: RehearsalWish,
  wishes: RehearsalWishes,
): Promise<RehearsalOutcome> {
  const windowMs = options.windowMs === CONFIG_DEFAULTS.windowMs ? WINDOW_MS : options.windowMs
  const plan = planFor(options, request)
  return withRun({ ...options, windowMs }, wishes, (run) => conductRehearsal(run, plan, wishes))
}

/** Throws UsageError if the rehearsal is impossible. */
export function planFor(options: RunOptions, request: RehearsalWish): RehearsalPlan {
  return planRehearsal(request, branchContext(options))
}

/** The result of a rehearsal in a test. */
export interface CaseResult {
  readonly verdict: Verdict
  readonly expected: string | null
  /** A description of the failure, or the reason why there is no verdict. Null if the check passed. */
  readonly actual: string | null
}

const CASE = {
  takes: 'a case from the report of the check command',
  fits: (given: unknown) => parseCase(given) !== undefined,
}

/** Replays an explored case. `config` is a configuration or a file name. Throws UsageError for an impossible case. */
export async function rehearseCase(config: Config | string, plan: ExploredCase): Promise<CaseResult> {
  checkArgument('call rehearseCase()', ['case', CASE], plan)
  const options = await openConfig(config, 'rehearseCase()')
  const { results } = await runChecks(options, { checks: [caseCheck(plan)] })
  const [result] = results
  if (!result) throw new RangeError('Cannot judge the case: the check of the case has no result')
  const { verdict, finding } = result
  return {
    verdict,
    expected: finding?.kind === 'failed' ? finding.expected : null,
    actual: verdict === 'passed' ? null : explainVerdict(result),
  }
}
