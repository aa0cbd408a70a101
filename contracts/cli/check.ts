import { rmSync } from 'node:fs'
import { catalogue } from '../catalogue.ts'
import { NEEDS } from '../check.ts'
import { checkOptions, type ConfigFlags } from './check-options.ts'
import { parseOutputs, type Output, type OutputFlags } from './outputs.ts'
import { closeOnSignal, screenFor, warnOfSecrets, withRemedy } from './run-in-terminal.ts'
import type { RunPlan } from '../config/run-options.ts'
import type { ExploredCase } from '../explored-case.ts'
import { failedChecks } from '../probes/failed-checks.ts'
import { untilRestarted } from '../probes/until-closed.ts'
import { explainJson, explainText, listJson, listText } from '../report/catalogue-text.ts'
import { resultLine } from '../report/check-text.ts'
import { readyText } from '../report/ready-text.ts'
import { repeatCase } from '../report/repeat.ts'
import { formatCount } from '../report/report.ts'
import { summaryText } from '../report/text.ts'
import { failsRun, toExitCode, type Demands } from '../run/exit-code.ts'
import { isConfigured } from '../run/observations.ts'
import { receiverUrls } from '../run/receiver-urls.ts'
import { runChecks } from '../run/run-checks.ts'
import type { RunResult } from '../run/run-result.ts'
import { listSecrets } from '../run/run-secrets.ts'
import { findCheck, idsAndTopics, isKnown, selectChecks, suggestCheck } from '../run/select.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { createMask, replaceFile, toPrintableJson, UsageError } from '../../sandbox/internal.ts'
import { didYouMean } from '../../spec/nearest.ts'

export interface CheckFlags extends ConfigFlags, OutputFlags {
  readonly require?: readonly string[]
  readonly reportFull?: boolean
  readonly list?: boolean
  readonly explain?: string
  readonly failed?: boolean
  readonly bail?: boolean
  readonly watch?: boolean
}

/** Runs the checks and sets the exit code. `words` contains a URL, check ids or topics. Throws UsageError if a word is invalid. */
export async function check(words: readonly string[], flags: CheckFlags): Promise<void> {
  const [first = '', ...others] = words
  // A URL starts with a scheme or with two slashes.
  const url = /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(first) ? first : undefined
  const names = url === undefined ? words : others
  if (url === undefined) refuseUnknownWord(first)
  const checks = selectChecks(catalogue, names)
  if (flags.list === true)
    return print(flags, { text: listText(checks, screenFor(process.stdout)), json: listJson(checks) })
  if (flags.explain !== undefined) {
    const one = findCheck(catalogue, flags.explain)
    return print(flags, { text: explainText(one, screenFor(process.stdout)), json: explainJson(one) })
  }
  await checkOnce(url, names, flags)
  while (flags.watch === true) {
    const { options } = await checkOptions(url, flags)
    const urls = receiverUrls(options.receiver)
    const [type = 'items'] = urls.types()
    console.error('Waiting for your receiver to restart. Press Ctrl-C to stop.')
    await untilRestarted(urls.url(type))
    await checkOnce(url, names, flags)
  }
}

async function checkOnce(url: string | undefined, names: readonly string[], flags: CheckFlags) {
  const outputs = parseOutputs(flags)
  const { options, command, caseWords } = await checkOptions(url, flags)
  const demands = {
    failOn: options.failOn,
    require: (flags.require ?? []).flatMap((given) => given.split(',').map(parseNeed)),
  }
  refuseUnmet(options, demands)
  const silent = flags.json === true
  const chosen = selectChecks(catalogue, names.length === 0 ? options.checks : names)
  const result = await runAndReport(options, {
    checks: flags.failed === true ? onlyFailed(chosen, options) : chosen,
    bail: flags.bail === true,
    outputs,
    silent,
    full: flags.reportFull === true,
    command,
    caseWords,
    demands,
  })
  failedChecks(options.service.data).note(result.results)
  process.exitCode = toExitCode(result, demands)
}

function onlyFailed(checks: readonly ReceiverCheck[], { service }: RunOptions): readonly ReceiverCheck[] {
  const failed = new Set(failedChecks(service.data).read())
  const chosen = checks.filter(({ id }) => failed.has(id))
  if (chosen.length > 0) return chosen
  console.error('No check failed in the last run, so all checks run')
  return checks
}

/** Throws UsageError if the first word names no check, because it may be a mistyped URL. */
function refuseUnknownWord(word: string): void {
  if (word === '' || isKnown(catalogue, word)) return
  const remedy =
    suggestCheck(word, idsAndTopics(catalogue)) ??
    'Write the URL of your receiver as https://localhost:PORT/PATH, or choose from "npx hookbench check --list"'
  throw new UsageError(`Cannot check "${word}": the word is neither a URL nor a check or topic. ${remedy}`)
}

function print(flags: CheckFlags, output: { readonly text: string; readonly json: unknown }): void {
  console.log(flags.json === true ? toPrintableJson(output.json, 2) : output.text)
}

export async function judgeInTerminal(
  options: RunPlan,
  plan: Pick<ReportPlan, 'checks' | 'command' | 'caseWords' | 'silent'>,
): Promise<void> {
  const demands = { failOn: options.failOn, require: [] }
  const outputs = plan.silent ? parseOutputs({ json: true }) : []
  const result = await runAndReport(options, { ...plan, outputs, demands })
  process.exitCode = toExitCode(result, demands)
}

interface ReportPlan {
  readonly checks: readonly ReceiverCheck[]
  readonly outputs: readonly Output[]
  readonly silent: boolean
  /** True if reports include every exchange. Defaults to false: reports show only the exchanges that decided a finding. */
  readonly full?: boolean
  readonly bail?: boolean
  readonly command: string
  readonly caseWords: { readonly command: string; readonly config: string }
  readonly demands: Demands
}

async function runAndReport(
  options: RunOptions,
  { checks, outputs, silent, full = false, bail = false, command, caseWords, demands }: ReportPlan,
): Promise<RunResult> {
  // If a report goes to standard output, progress goes to standard error, so that the report contains no other text.
  const stream = outputs.some(({ file }) => file === '-') ? process.stderr : process.stdout
  const screen = screenFor(stream)
  warnOfSecrets(options)
  const say = (text: string) => void (silent || stream.write(`${text}\n`))
  const mask = createMask(listSecrets(options))
  const seed = `--seed ${options.seed}`
  // The command line parser would read an id directly after `--attach` as the address of the sandbox.
  const isAttached = options.service.kind === 'attached'
  const repeat = (id: string) => [command, ...(isAttached ? [seed, id] : [id, seed])].join(' ')
  let isReached = true
  const result = await withRemedy(mask, () =>
    runChecks(options, {
      checks,
      onOpening: closeOnSignal,
      ...(bail && { endsAt: (one) => failsRun(one, demands.failOn) }),
      onReady(run) {
        isReached = run.unreached === null
        say(readyText({ ...run, count: checks.length }, screen.paint))
      },
      onResult(one) {
        // The end of the report lists the checks with missing settings, so the progress output omits these checks.
        if (isReached ? one.missing.length === 0 : isJudged(one)) say(resultLine(one, screen))
      },
    }),
  )
  const repeats = { repeat, repeatCase: (plan: ExploredCase) => repeatCase(plan, caseWords) }
  say(summaryText(result, { ...repeats, demands, screen }))
  const left = checks.length - result.results.length
  if (left > 0) say(`Ended at the first failure. ${formatCount(left, 'check')} did not run`)
  for (const { file, report } of outputs) {
    for (const part of report(result, { ...repeats, demands, full }, file)) {
      if (part.text === undefined) rmSync(part.file, { force: true })
      else if (part.file === '-') process.stdout.write(part.text)
      else replaceFile(part.file, part.text)
    }
  }
  return result
}

const isJudged = ({ verdict }: RunResult['results'][number]) => verdict === 'failed' || verdict === 'passed'

const REQUIRABLE = ['effects', 'calls', 'process', 'signature'] as const

function parseNeed(word: string): (typeof REQUIRABLE)[number] {
  const found = REQUIRABLE.find((need) => need === word)
  if (found !== undefined) return found
  throw new UsageError(
    `Cannot require "${word}": the possible values are ${REQUIRABLE.join(', ')}${didYouMean(word, REQUIRABLE)}`,
  )
}

function refuseUnmet(options: RunOptions, { require }: Demands): void {
  const unmet = REQUIRABLE.find((need) => require.includes(need) && !isConfigured(need, options))
  if (unmet !== undefined) {
    throw new UsageError(
      `Cannot observe ${unmet}, which is required: set ${NEEDS[unmet].settings} in the configuration`,
    )
  }
}
