import type { RehearsalDelivery } from '../../spec/generated/control-types.ts'
import { planFor, rehearseWith } from '../judge/rehearse.ts'
import { configLiteral, rehearsalTest } from '../report/repeat.ts'
import { toRehearsalResult, rehearsalText, type RehearsalReportOptions } from '../report/rehearsal.ts'
import { CONCLUSIONS } from '../run/exit-code.ts'
import type { RehearsalOutcome } from '../run/rehearse.ts'
import {
  DELIVERY_MARKS,
  MARK_OPTIONS,
  parseKind,
  type DeliveryMark,
  type RehearsalWish,
} from '../toolkit/rehearsal-plan.ts'
import { toPrintableJson, UsageError, wholeNumber } from '../../sandbox/internal.ts'
import { caseCheck } from '../checks/oracle/index.ts'
import { paymentKinds } from '../../spec/payments.ts'
import { parseJson } from '../probes/effect-state.ts'
import { parseCase } from '../explored-case.ts'
import { judgeInTerminal } from './check.ts'
import { checkOptions, formatCheckCommand, openGivenConfig, type ConfigFlags } from './check-options.ts'
import { closeOnSignal, screenFor, withRemedy } from './run-in-terminal.ts'

export interface OrderFlags {
  readonly order?: string
  readonly lose?: readonly string[]
  readonly breakAnswer?: readonly string[]
  readonly late?: readonly string[]
  readonly callback?: readonly string[]
  readonly outcome?: string
  readonly via?: string
  readonly amount?: string
  readonly pace?: 'stepwise' | 'instant'
}

export interface RehearseFlags extends ConfigFlags, OrderFlags {
  readonly shrink?: boolean
  readonly vitest?: boolean
  readonly json?: boolean
  /** The JSON text of a failing case from a report of `check`. */
  readonly case?: string
}

/** Throws UsageError if the rehearsal is impossible. */
export async function rehearseInTerminal(
  { kind, url }: { readonly kind: string | undefined; readonly url: string | undefined },
  flags: RehearseFlags,
): Promise<void> {
  if (kind === undefined)
    throw new UsageError(
      `Cannot rehearse: the kind of payment is missing. Name one of ${paymentKinds.join(', ')}, or give --case with a case that "check" reported`,
    )
  const payment = parsePayment(kind, flags)
  const { config, file, options, mask } = await openGivenConfig(url, flags)
  const documented = planFor(options, payment).rehearsal.deliveries.map(({ number }) => number)
  const request = { ...payment, deliveries: parseDeliveries(flags, documented) }
  const given = { ...flags, ...(file !== undefined && { config: file }) }
  const repeat = {
    request: payment,
    command: formatCheckCommand(`rehearse ${kind}`, url, { ...given, mask }),
    config: mask(configLiteral(file ?? configFrom(config))),
  }
  const outcome = await withRemedy(mask, () =>
    rehearseWith(options, request, {
      shrinks: flags.shrink === true,
      onOpening: closeOnSignal,
      onReady: ({ serviceUrl }) =>
        say(
          flags,
          `Playing the payment against your receiver, which can call the service at ${serviceUrl}\n`,
        ),
      onProgress: (progress) => {
        if (progress.phase === 'shrinking') say(flags, `Tried ${progress.tried} shorter orders`)
      },
    }),
  )
  print(outcome, flags, { repeat, options })
  const [exitCode] = CONCLUSIONS[outcome.conclusion]
  process.exitCode = exitCode
}

/** Replays an explored case and reports it in the format of `check`. Throws UsageError for an invalid case. */
export async function rehearseCaseInTerminal(text: string, url: string | undefined, flags: RehearseFlags) {
  const plan = parseCase(parseJson(text))
  if (!plan)
    throw new UsageError(
      'Cannot rehearse --case: the value must be the JSON of a case, from the repeat command that check prints',
    )
  const given = await checkOptions(url, flags)
  await judgeInTerminal(given.options, { ...given, checks: [caseCheck(plan)], silent: flags.json === true })
}

function say({ json, vitest }: RehearseFlags, text: string): void {
  if (json !== true) (vitest === true ? process.stderr : process.stdout).write(`${text}\n`)
}

function print(outcome: RehearsalOutcome, flags: RehearseFlags, { repeat, options }: RehearsalReportOptions) {
  if (flags.json === true) {
    console.log(toPrintableJson(toRehearsalResult(outcome, { options, repeat }), 2))
    return
  }
  const stream = flags.vitest === true ? process.stderr : process.stdout
  say(flags, rehearsalText(outcome, { repeat, screen: screenFor(stream) }))
  if (flags.vitest !== true) return
  process.stdout.write(rehearsalTest(repeat, (outcome.shortest ?? outcome.whole).deliveries))
}

/** Returns the configuration for a generated test. Without a URL, the test uses the registered receiver. */
function configFrom(config: object): object {
  if (Object.hasOwn(config, 'receiver')) return config
  const world: unknown = Reflect.get(Object(Reflect.get(config, 'service')), 'world')
  return { ...config, service: { attach: true, ...(world !== undefined && { world }) } }
}

const MAX_DELIVERIES = 40

/** Parses the flags of the payment, but not the delivery order. Throws UsageError for an invalid flag. */
export function parsePayment(kind: string, { outcome, via, amount, pace }: OrderFlags): RehearsalWish {
  return {
    kind: parseKind(kind),
    ...(outcome !== undefined && { outcome }),
    ...(via !== undefined && { via }),
    ...(amount !== undefined && { amount: wholeNumber('amount', amount, { least: 1, most: 2 ** 31 - 1 }) }),
    ...(pace !== undefined && { pace }),
  }
}

/** Parses the delivery order and flags such as `--lose @2`. `documented` is the default order. Throws UsageError with a remedy. */
export function parseDeliveries(
  flags: OrderFlags,
  documented: readonly number[],
): readonly RehearsalDelivery[] {
  const numbers = flags.order === undefined ? documented : parseOrder(flags.order)
  const { lose, breakAnswer: break_answer, late, callback } = flags
  const given = { lose, break_answer, late, callback }
  const marks = DELIVERY_MARKS.flatMap((mark) =>
    (given[mark] ?? [])
      .flatMap((text) => text.split(','))
      .map((text) => ({ mark, place: parsePlace(text, mark, numbers.length) })),
  )
  return numbers.map((number, index) => {
    const own = marks.filter(({ place }) => place === index)
    return { number, ...Object.fromEntries(own.map(({ mark }) => [mark, true] as const)) }
  })
}

function parseOrder(text: string): readonly number[] {
  const numbers = text.split(',').map((each) => each.trim())
  const wrong = numbers.find((each) => !/^[1-9]\d{0,2}$/.test(each))
  if (wrong !== undefined) {
    throw new UsageError(
      `Cannot use --order "${text}": the value must be a list of notification numbers, such as 2,1,1. "npx hookbench play KIND --dry" lists the numbers`,
    )
  }
  if (numbers.length > MAX_DELIVERIES) {
    throw new UsageError(
      `Cannot use --order with ${numbers.length} deliveries: the maximum is ${MAX_DELIVERIES}`,
    )
  }
  return numbers.map(Number)
}

/** Returns the index of the delivery that the text names. For example, `@2` is the second delivery of the order. */
function parsePlace(text: string, mark: DeliveryMark, count: number): number {
  const [, digits] = /^@([1-9]\d{0,2})$/.exec(text.trim()) ?? []
  const place = Number(digits) - 1
  if (digits !== undefined && place < count) return place
  throw new UsageError(
    digits === undefined
      ? `Cannot use ${MARK_OPTIONS[mark]} "${text}": the value must be a list of deliveries, such as @2 for the second delivery`
      : `Cannot use ${MARK_OPTIONS[mark]} "${text}": the order has ${count} ${count === 1 ? 'delivery' : 'deliveries'}`,
  )
}
