import { catalogue } from '../catalogue.ts'
import { findConfigFile, readConfig } from '../config/config-context.ts'
import { createRunOptions } from '../config/run-options.ts'
import { isSameReceiver, withRegisteredReceiver } from './registered-receiver.ts'
import { planFor, rehearseWith } from './rehearse.ts'
import { explainJson } from '../report/catalogue-text.ts'
import { headlineOf } from '../report/headline.ts'
import { jsonReport } from '../report/json.ts'
import { rehearsalHeadline, toRehearsalPreview, toRehearsalResult } from '../report/rehearsal.ts'
import { configLiteral, type RehearsalRepeat } from '../report/repeat.ts'
import { explainVerdict, verdictName } from '../report/report.ts'
import type { RehearsalProgress } from '../run/rehearse.ts'
import { runChecks } from '../run/run-checks.ts'
import type { CheckResult } from '../run/run-result.ts'
import { listSecrets } from '../run/run-secrets.ts'
import { selectChecks } from '../run/select.ts'
import { formatOrder } from '../toolkit/rehearsal-plan.ts'
import {
  ApiError,
  commandLine,
  createMask,
  quoteForShell,
  UsageError,
  type Credentials,
  type Judge,
  type JudgedSandbox,
  type PlannedRun,
} from '../../sandbox/internal.ts'
import type {
  CheckRunRequest,
  RehearsalPreview,
  RehearsalRequest,
  RunProgress,
} from '../../spec/generated/control-types.ts'

export interface BenchJudgeOptions {
  /** The configuration file with the `effects` and `process` keys. Defaults to the configuration file in the current folder. */
  readonly config: string | undefined
  readonly data: string
  readonly credentials: Credentials
}

/** Creates a judge that runs checks and rehearsals on the registered receiver of a running sandbox. */
export function createBenchJudge(options: BenchJudgeOptions): Judge {
  return {
    checks: () => catalogue.map(explainJson),
    rehearse: (request, sandbox) => withRefusals(() => planRehearsalRun(request, options, sandbox)),
    preview: (request, sandbox) => withRefusals(() => previewRehearsal(request, options, sandbox)),
    check: (request, sandbox) => withRefusals(() => planCheckRun(request, options, sandbox)),
  }
}

/** Converts a UsageError or RangeError from `plan` into the error response for an invalid request. */
async function withRefusals<Result>(plan: () => Promise<Result>): Promise<Result> {
  try {
    return await plan()
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof RangeError)) throw error
    throw new ApiError('invalid', { message: error.message }, { cause: error })
  }
}

async function prepare(
  { config, data, credentials }: BenchJudgeOptions,
  { benchUrl, benchToken, world, keepsWorld }: JudgedSandbox,
) {
  const file = config ?? findConfigFile()
  const { config: given, context } = await readConfig(file, 'the settings of the sandbox', { world: null })
  const { url, ...receiver } = Object(Reflect.get(given, 'receiver'))
  const registered = {
    ...given,
    data,
    credentials,
    receiver,
    service: { attach: benchUrl, token: benchToken, ...(world !== undefined && { world }) },
  }
  const options = createRunOptions(await withRegisteredReceiver(registered, context), context)
  const named =
    url === undefined ? options : createRunOptions({ ...registered, receiver: { ...receiver, url } }, context)
  // The command that repeats a check names this configuration file. Therefore, its receiver must be the registered receiver.
  if (!isSameReceiver(named.receiver, options.receiver))
    throw new UsageError(
      `Cannot judge your receiver with config "${file}": its "receiver.url" is not registered at the sandbox. Register this URL, or omit "receiver.url"`,
    )
  const { service } = options
  return {
    options:
      service.kind === 'own'
        ? options
        : { ...options, service: { ...service, keepsWorld, isConducted: true } },
    file,
  }
}

async function planRehearsalRun(
  { shrink = false, ...request }: RehearsalRequest,
  judge: BenchJudgeOptions,
  sandbox: JudgedSandbox,
): Promise<PlannedRun> {
  const { options, file } = await prepare(judge, sandbox)
  const { branch, deliveries } = planFor(options, request).rehearsal
  const order = formatOrder(deliveries)
  const repeat = repeatFor(request, { ...judge, ...sandbox }, file)
  return {
    about: `${branch.kind} with outcome ${branch.outcome} ${order}`,
    async run({ signal, onProgress }) {
      const outcome = await rehearseWith(options, request, {
        shrinks: shrink,
        signal,
        onProgress: (progress) => onProgress(toProgress(progress, deliveries.length)),
      })
      return {
        conclusion: outcome.conclusion,
        headline: rehearsalHeadline(outcome),
        rehearsal: toRehearsalResult(outcome, { options, repeat }),
        report: null,
      }
    },
  }
}

async function previewRehearsal(
  request: RehearsalRequest,
  judge: BenchJudgeOptions,
  sandbox: JudgedSandbox,
): Promise<RehearsalPreview> {
  const { options, file } = await prepare(judge, sandbox)
  return toRehearsalPreview(planFor(options, request), {
    options,
    repeat: repeatFor(request, { ...judge, ...sandbox }, file),
  })
}

function toProgress(progress: RehearsalProgress, total: number): RunProgress {
  return progress.phase === 'playing'
    ? { done: progress.sent, total, text: `Sent ${progress.sent} of ${total}`, check: null }
    : { done: progress.tried, total: null, text: `Tried ${progress.tried} shorter orders`, check: null }
}

function repeatFor(
  request: RehearsalRequest,
  { data, world }: Pick<BenchJudgeOptions, 'data'> & Pick<JudgedSandbox, 'world'>,
  file: string | undefined,
): RehearsalRepeat {
  const start = `rehearse ${request.kind}`
  const named = file === undefined ? start : `${start} --config ${quoteForShell(file)} --attach`
  return {
    request,
    command: commandLine(named, { data, world }),
    config: configLiteral(file ?? { data, service: { attach: true, ...(world !== undefined && { world }) } }),
  }
}

async function planCheckRun(
  { checks: names }: CheckRunRequest,
  judge: BenchJudgeOptions,
  sandbox: JudgedSandbox,
): Promise<PlannedRun> {
  const { options, file } = await prepare(judge, sandbox)
  const chosen = names ?? options.checks
  const checks = selectChecks(catalogue, chosen)
  const total = checks.length
  const demands = { failOn: options.failOn, require: [] } as const
  const config = file === undefined ? '' : ` --config ${quoteForShell(file)}`
  // The command line parser would read an id directly after `--attach` as the address of the sandbox.
  const repeat = (id: string) => commandLine(`check ${id}${config} --attach`, { ...judge, ...sandbox })
  return {
    about: chosen.length === 0 ? 'all checks' : chosen.join(', '),
    async run({ signal, onProgress }) {
      let done = 0
      onProgress({ done, total, text: `Running ${total} checks against your receiver`, check: null })
      const onResult = (result: CheckResult) => {
        const { id } = result.check
        const check = { id, verdict: verdictName(result), actual: explainVerdict(result) || null }
        onProgress({ done: ++done, total, text: `${check.id}: ${check.verdict}`, check })
      }
      const result = await runChecks(options, { checks, signal, onResult })
      const { kind, sentence, details } = headlineOf(result, demands)
      const mask = createMask(listSecrets(options))
      return {
        conclusion: kind,
        headline: [sentence, ...details].map(mask).join('. '),
        rehearsal: null,
        report: JSON.parse(jsonReport(result, { repeat, demands })),
      }
    },
  }
}
