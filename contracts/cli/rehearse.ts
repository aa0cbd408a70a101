import { createRunOptions } from '../config/run-options.ts'
import { withRegisteredReceiver } from '../judge/registered-receiver.ts'
import { planFor, rehearseWith } from '../judge/rehearse.ts'
import { configLiteral, rehearsalTest, type RehearsalRepeat } from '../report/repeat.ts'
import { toRehearsalResult, rehearsalText } from '../report/rehearsal.ts'
import { listSecrets } from '../run/run-secrets.ts'
import type { Run } from '../run/open-run.ts'
import type { RehearsalOutcome } from '../run/rehearse.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { toNumbered } from '../toolkit/rehearsal-plan.ts'
import { createMask, toPrintableJson, UsageError } from '../../sandbox/internal.ts'
import { caseCheck } from '../checks/oracle/index.ts'
import { paymentKinds } from '../../spec/payments.ts'
import { parseJson } from '../probes/effect-state.ts'
import { parseCase } from '../explored-case.ts'
import { judgeInTerminal } from './check.ts'
import { checkOptions, formatCommand, readGivenConfig, type ConfigFlags } from './check-options.ts'
import { parseDeliveries, parsePayment, type OrderFlags } from './rehearsal-options.ts'
import { closeOnSignal, screenFor, warnOfSecrets, withRemedy } from './run-in-terminal.ts'

export interface RehearseFlags extends ConfigFlags, OrderFlags {
  readonly shrink?: boolean
  readonly vitest?: boolean
  readonly json?: boolean
  /** JSON of a case. */
  readonly case?: string
}

/** Rehearses, prints the result and sets the exit code. Throws UsageError. */
export async function rehearseInTerminal(
  { kind, url }: { readonly kind: string | undefined; readonly url: string | undefined },
  flags: RehearseFlags,
): Promise<void> {
  if (kind === undefined)
    throw new UsageError(
      `Cannot rehearse: there is no kind of payment. Name one of ${paymentKinds.join(', ')}, or --case with a case that check has found`,
    )
  const payment = parsePayment(kind, flags)
  const { config, context, file } = await readGivenConfig(url, flags)
  const options = createRunOptions(await withRegisteredReceiver({ ...config }, context), context)
  warnOfSecrets(options)
  const documented = toOrder(planFor(options, payment))
  const request = { ...payment, deliveries: parseDeliveries(flags, documented) }
  const given = { ...flags, ...(file !== undefined && { config: file }) }
  const mask = createMask(listSecrets(options))
  const repeat = {
    request: payment,
    command: formatCommand(`rehearse ${kind}`, url, { ...given, mask }),
    config: mask(configLiteral(file ?? configFrom(config))),
  }
  const outcome = await withRemedy(mask, () =>
    rehearseWith(options, request, {
      shrinks: flags.shrink === true,
      onOpening: closeOnSignal,
      onReady: (run) => begin(run, flags),
      onProgress: (progress) => {
        if (progress.phase === 'shrinking') say(flags, `Tried ${progress.tried} shorter orders`)
      },
    }),
  )
  print(outcome, { flags, repeat, options })
  process.exitCode = outcome.exitCode
}

/** Plays a case of an exploration and reports like `check`. Throws UsageError. */
export async function rehearseCaseInTerminal(
  text: string,
  url: string | undefined,
  flags: RehearseFlags,
): Promise<void> {
  const plan = parseCase(parseJson(text))
  if (!plan)
    throw new UsageError(
      'Cannot rehearse --case: it takes the JSON of a case, as check prints it in the command that repeats a failure',
    )
  const given = await checkOptions(url, flags)
  await judgeInTerminal(given.options, { ...given, checks: [caseCheck(plan)], silent: flags.json === true })
}

function toOrder({ rehearsal: { deliveries, branch } }: ReturnType<typeof planFor>): readonly number[] {
  return toNumbered(deliveries, branch).map(({ number }) => number)
}

function begin(run: Run, flags: RehearseFlags): void {
  say(flags, `Playing it against your receiver, which asks back at ${run.serviceUrl}\n`)
}

/** Keeps the standard output free if a program reads it. */
function say({ json, vitest }: RehearseFlags, text: string): void {
  if (json !== true) (vitest === true ? process.stderr : process.stdout).write(`${text}\n`)
}

interface Printing {
  readonly flags: RehearseFlags
  readonly repeat: RehearsalRepeat
  readonly options: RunOptions
}

function print(outcome: RehearsalOutcome, { flags, repeat, options }: Printing): void {
  if (flags.json === true) {
    console.log(toPrintableJson(toRehearsalResult(outcome, { options, repeat }), 2))
    return
  }
  const stream = flags.vitest === true ? process.stderr : process.stdout
  say(flags, rehearsalText(outcome, { repeat, screen: screenFor(stream) }))
  if (flags.vitest !== true) return
  const { deliveries } = outcome.shortest ?? outcome.whole
  process.stdout.write(rehearsalTest(repeat, toNumbered(deliveries, outcome.plan.rehearsal.branch)))
}

/** Returns the flags as a configuration. Without a URL, a test uses the registered receiver. */
function configFrom(config: object): object {
  if (Object.hasOwn(config, 'receiver')) return config
  const world: unknown = Reflect.get(Object(Reflect.get(config, 'service')), 'world')
  return { ...config, service: { attach: true, ...(world !== undefined && { world }) } }
}
