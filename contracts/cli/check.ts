import { defaultSettings, openDataFolder, serveSandbox, type ServedSandbox } from '../../sandbox/index.ts'
import { catalogue, select } from '../catalogue.ts'
import type { Check, CheckExchange } from '../check.ts'
import { receiverAt } from '../receiver.ts'
import { resultLine, summaryText } from '../report/text.ts'
import { exitCodeOf, runChecks, type CheckResult, type RunResult } from '../run-checks.ts'
import { DEFAULT_DATA, DEFAULT_PORT } from './check-command.ts'

export interface CheckFlags {
  readonly port: string
  readonly data: string
  readonly json?: boolean
  readonly list?: boolean
  readonly allowTarget?: readonly string[]
}

/** Runs the checks and sets the exit code. Throws RangeError for wrong use, with the remedy. */
export async function check(
  url: string | undefined,
  names: readonly string[],
  flags: CheckFlags,
): Promise<void> {
  const json = flags.json === true
  if (flags.list === true) {
    console.log(json ? JSON.stringify(catalogue.map(described), null, 2) : catalogue.map(listed).join('\n'))
    return
  }
  if (url === undefined) throw new RangeError("Cannot check: give the receiver's URL, or --list")
  const checks = select(names)
  const sandbox = await openSandbox(flags)
  try {
    const receiver = receiverFor(url, sandbox)
    if (!json) console.log(`Checking ${url}\n`)
    const result = await runChecks(
      checks,
      receiver,
      json ? undefined : (ended) => console.log(resultLine(ended)),
    )
    console.log(
      json ? JSON.stringify(reported(url, result), null, 2) : summaryText(result, commandFor(url, flags)),
    )
    process.exitCode = exitCodeOf(result)
  } finally {
    await sandbox.close()
  }
}

/** What repeats this run but for the names of checks, for a POSIX shell. */
export function commandFor(url: string, { port, data, allowTarget = [] }: CheckFlags): string {
  const options = [
    ...(port === DEFAULT_PORT ? [] : ['--port', port]),
    ...(data === DEFAULT_DATA ? [] : ['--data', quoted(data)]),
    ...allowTarget.flatMap((target) => ['--allow-target', quoted(target)]),
  ]
  return ['npx hookbench check', ...options, quoted(url)].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function openSandbox({ port, data, allowTarget = [] }: CheckFlags): Promise<ServedSandbox> {
  if (!/^\d+$/.test(port) || Number(port) > 65_535) {
    throw new RangeError(`Cannot use port "${port}": it takes a whole number from 0 to 65535`)
  }
  return serveSandbox({
    caFolder: openDataFolder(data).caFolder,
    port: Number(port),
    benchPort: 0,
    speed: 0,
    allowTargets: allowTarget,
    settings: defaultSettings,
    onError: (where, error) => console.error(`hookbench: ${where} failed:`, error),
  })
}

function receiverFor(url: string, sandbox: ServedSandbox) {
  const receiver = receiverAt(url, sandbox)
  const target = sandbox.context.egress.judgeUrl(url.replaceAll('{object_type}', 'items'))
  if (target.kind === 'refused') throw new RangeError(`Cannot check "${url}": ${target.refusal.message}`)
  return receiver
}

function described({ id, severity, level, requirement, source, readings = [] }: Check) {
  return { id, severity, level, requirement, source, readings }
}

function listed({ id, severity, requirement }: Check): string {
  return `${id.padEnd(34)} ${severity.toUpperCase().padEnd(6)} ${requirement}`
}

function reported(receiver: string, { results, summary }: RunResult) {
  return { receiver, level: 0, summary, checks: results.map(checkReported) }
}

function checkReported({ check: { run: _, ...about }, finding: { kind, ...finding } }: CheckResult) {
  return { ...about, verdict: kind, ...finding, exchanges: finding.exchanges.map(exchangeReported) }
}

/** An answer's bytes as text. */
function exchangeReported({ label, sent, outcome }: CheckExchange) {
  if (outcome.kind === 'unanswered') return { label, sent, outcome }
  return { label, sent, outcome: { ...outcome, body: Buffer.from(outcome.body).toString('utf8') } }
}
