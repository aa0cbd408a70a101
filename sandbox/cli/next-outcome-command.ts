import { Argument, type Command } from 'commander'
import type { NextOutcome, NextOutcomeList } from '../../spec/generated/control-types.ts'
import { type PaymentKind, paymentKinds, paymentOutcomes } from '../../spec/payments.ts'
import { commandLine } from '../engine/core/command-line.ts'
import type { Perform } from '../compose/perform.ts'
import { toPrintable } from '../engine/core/short-text.ts'
import { argument, controlCommand, option } from './control-command.ts'
import { UsageError } from './failure.ts'
import { formatTable } from './listing.ts'
import { withChoices } from './option-values.ts'
import type { SandboxFlags } from './sandbox-flags.ts'

interface NextOutcomeFlags extends SandboxFlags {
  readonly kind?: PaymentKind
  readonly outcome?: string
  readonly clear?: boolean
}

export function nextOutcomeCommand(): Command {
  return controlCommand({
    name: 'next-outcome',
    description: 'choose the outcome of the next payment of a kind, or list the choices',
    summary: 'choose how the next payment of a kind ends',
    about: [
      'The outcome applies to the next payment of this kind that starts without an explicit outcome. Such payments come from "play" without --outcome, or from your platform, for example with PATCH /items/ID/make_payment.',
    ],
    lists: {
      'Outcomes, the default first': paymentKinds.map((kind) => [kind, paymentOutcomes(kind).join(', ')]),
    },
    examples: [
      ['next-outcome direct-debit-payin failed_direct_debit', 'let the next direct debit fail'],
      ['next-outcome', 'list the chosen outcomes that no payment has used yet'],
      [
        'next-outcome direct-debit-payin --clear',
        'restore the default outcome of the kind, or of every kind',
      ],
    ],
    seeAlso: ['play', 'faults'],
    arguments: [
      withChoices(new Argument('[kind]', 'the kind of payment'), paymentKinds),
      argument('[outcome]', 'the final state of the payment'),
    ],
    options: [option('--clear', 'restore the default outcome of the kind, or of every kind')],
    call: (perform, flags: NextOutcomeFlags) => callFor(flags, perform),
    text: (reply, flags) =>
      'next_outcomes' in reply ? formatList(reply, flags) : formatChoice(reply, flags),
  })
}

function callFor(
  { kind, outcome, clear = false }: NextOutcomeFlags,
  perform: Perform,
): Promise<NextOutcome | NextOutcomeList> {
  if (clear && outcome !== undefined)
    throw new UsageError(`Cannot choose "${outcome}" and clear it: omit the outcome or --clear`)
  if (clear) return perform('clearNextOutcomes', { query: kind === undefined ? {} : { kind } })
  if (kind === undefined) return perform('listNextOutcomes')
  if (outcome !== undefined) return perform('setNextOutcome', { body: { kind, outcome } })
  const outcomes = paymentOutcomes(kind).join(' or ')
  throw new UsageError(
    `Cannot choose how the next ${kind} ends: the outcome is missing. Give ${outcomes}, or --clear`,
  )
}

function formatChoice({ kind, outcome }: NextOutcome, flags: SandboxFlags): string {
  const clear = commandLine(`next-outcome ${kind} --clear`, flags)
  return `${toPrintable(`The next ${kind} ends ${outcome}`)}\n  ${toPrintable(clear)}`
}

function formatList({ next_outcomes: chosen }: NextOutcomeList, flags: NextOutcomeFlags): string {
  const { clear, kind } = flags
  if (clear === true) {
    const lines = chosen.map(
      (each) => `The next ${each.kind} has the default outcome again, not ${each.outcome}`,
    )
    return lines.length === 0
      ? toPrintable(`No outcome was chosen for the next ${kind ?? 'payments'}`)
      : lines.map(toPrintable).join('\n')
  }
  if (chosen.length > 0)
    return formatTable(
      ['NEXT', 'OUTCOME'],
      chosen.map((each) => [each.kind, each.outcome]),
    )
  const example = commandLine('next-outcome direct-debit-payin failed_direct_debit', flags)
  return `Every payment has the default outcome. To let the next payment fail, run "${toPrintable(example)}"`
}
