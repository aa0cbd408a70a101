import { Argument, type Command } from 'commander'
import type { Advanced, AdvanceRequest, Clock, Settled, Waiting } from '../../spec/generated/control-types.ts'
import { parseDuration } from '../../spec/readings.ts'
import type { Perform } from '../compose/perform.ts'
import { commandLine, type CommandTarget } from '../engine/core/command-line.ts'
import { argument, controlCommand, controlSubcommand, option } from './control-command.ts'
import { UsageError } from './failure.ts'
import { milliseconds, speedFactor, withChoices, withoutUndefined } from './option-values.ts'
import type { SandboxFlags } from './sandbox-flags.ts'

interface AdvanceFlags extends SandboxFlags {
  readonly by: string
  readonly yes?: boolean
}

interface SetFlags extends SandboxFlags {
  readonly mode: Clock['mode']
  readonly speed?: number
}

export function clockCommands(): Command[] {
  return [clockCommand(), advanceCommand(), settleCommand()]
}

function advanceCommand(): Command {
  return controlCommand({
    name: 'advance',
    description: "move the sandbox's clock forward, and run every attempt that becomes due",
    summary: 'move the clock forward, and run every due attempt',
    about: [
      'The clock moves from one due time to the next, and waits for the attempts at each due time. So 25 minutes of retries take only as long as your receiver needs to answer.',
    ],
    examples: [
      ['advance 25m', 'move the clock by a duration'],
      ['advance 1h45m --json', 'print the number of attempts, for a script'],
      ['advance 2026-01-03T00:00:00.000Z', 'move the clock to an instant'],
    ],
    seeAlso: ['clock', 'settle', 'jobs'],
    arguments: [
      argument('<by>', 'a duration such as 25m or 1h45m, or an instant such as 2026-01-02T00:00:00.000Z'),
    ],
    // Without this, commander would parse a negative duration as an option.
    allowUnknownOption: true,
    options: [option('--yes', 'allow an advance of more than a year')],
    call: async (perform, { by, yes = false }: AdvanceFlags) => {
      const request = advanceRequest(by)
      if (!yes) await refuseFarAdvance(request, perform)
      return perform('advanceClock', { body: request })
    },
    text: ({ now, attempts }: Advanced) =>
      `The clock shows ${now}. ${attempts} ${attempts === 1 ? 'attempt was' : 'attempts were'} made`,
  })
}

function settleCommand(): Command {
  return controlCommand({
    name: 'settle',
    description: 'wait until no work is due or in progress',
    about: [
      'The command also waits for deliveries that faults delay, and for request_response to show all attempts. The command does not wait for work that is due later. To run work that is due later, use "npx hookbench advance 25m".',
    ],
    examples: [
      ['settle', 'wait before you check the effects of your receiver'],
      ['settle --timeout 500ms --json', 'print the remaining work, for a script'],
    ],
    exitCodes: { 1: 'some work was still due or in progress at the time limit' },
    seeAlso: ['advance', 'jobs', 'faults'],
    options: [
      option(
        '--timeout <duration>',
        'time limit in real seconds, or a duration such as 500ms (default: 10s)',
        milliseconds('--timeout', 1_000),
      ),
    ],
    call: (perform, { timeout }: SandboxFlags & { readonly timeout?: number }) =>
      perform('settle', { body: withoutUndefined({ timeout_ms: timeout }) }),
    text: settleText,
    hasFailed: ({ settled }) => !settled,
  })
}

function clockCommand(): Command {
  return controlCommand({
    name: 'clock',
    description: "show the sandbox's clock, or set how it moves",
    examples: [
      ['clock', 'show the clock, or set how it moves'],
      ['clock set manual', 'stop the clock'],
    ],
    seeAlso: ['advance', 'settle'],
    call: (perform) => perform('getClock'),
    text: clockText,
    subcommands: [
      controlSubcommand({
        name: 'set',
        description: 'set how the clock moves, from its current time',
        about: ['A clock never goes back.'],
        examples: [
          ['clock set manual', 'move the clock only by "npx hookbench advance 25m"'],
          ['clock set compressed --speed 300', 'let five minutes pass in a second'],
          ['clock set real', 'move the clock at the pace of real time'],
        ],
        seeAlso: ['advance'],
        arguments: [
          withChoices(
            new Argument(
              '<mode>',
              'real for real time, manual for "advance" only, or compressed for a faster clock',
            ),
            ['real', 'manual', 'compressed'],
          ),
        ],
        options: [
          option(
            '--speed <factor>',
            'sandbox seconds per real second, with compressed (default: 300)',
            speedFactor('"clock set manual"'),
          ),
        ],
        call: (perform, given: SetFlags) => perform('setClock', { body: clockRequest(given) }),
        text: clockText,
      }),
    ],
  })
}

function clockRequest({ mode, speed }: SetFlags) {
  if (speed !== undefined && mode !== 'compressed') {
    throw new UsageError(
      `Cannot set the clock to ${mode} at speed ${speed}: only a compressed clock has a speed. Omit --speed, or use the mode compressed`,
    )
  }
  return { mode, ...withoutUndefined({ speed }) }
}

export function clockText({ mode, speed, now }: Clock, target: CommandTarget): string {
  const pace = {
    real: 'real time',
    manual: `manual: only "${commandLine('advance', target)}" moves the clock`,
    compressed: `compressed: ${speed} times real time`,
  }
  return `The clock shows ${now} (${pace[mode]})`
}

const YEAR_MS = 365 * 24 * 3_600_000

/** Throws UsageError for an advance of more than a year, because the clock can never be set back. */
async function refuseFarAdvance({ by, to }: AdvanceRequest, perform: Perform): Promise<void> {
  const byMs =
    to === undefined ? parseDuration(by ?? '') : Date.parse(to) - Date.parse((await perform('getClock')).now)
  if (byMs === undefined || !(byMs > YEAR_MS)) return
  const state = 'this is more than a year, and the clock never goes back'
  throw new UsageError(
    `Cannot advance ${to === undefined ? 'by' : 'to'} "${by ?? to}": ${state}. Add --yes to confirm`,
  )
}

function advanceRequest(by: string): AdvanceRequest {
  if (!Number.isNaN(Date.parse(by)) && /^\d{4}-/.test(by)) return { to: by }
  if (parseDuration(by) !== undefined) return { by }
  throw new UsageError(
    `Cannot advance by "${by}": ${advanceProblem(by)}. Give a duration such as 25m, or an instant`,
  )
}

function advanceProblem(by: string): string {
  if (/^-\d/.test(by)) return 'the clock never goes back'
  return by.startsWith('-') ? 'unknown option' : 'the value is not a duration'
}

const WAITED_FOR: { readonly [What in Waiting['what']]: readonly [one: string, many: string] } = {
  attempts: ['attempt that is due or in flight', 'attempts that are due or in flight'],
  posts: ['manual delivery or test POST in flight', 'manual deliveries or test POSTs in flight'],
  payment_steps: ['payment step that is due', 'payment steps that are due'],
  held_by_fault: ['delivery or call that a fault delays', 'deliveries or calls that a fault delays'],
  recording_lag: [
    'attempt that request_response does not show yet',
    'attempts that request_response does not show yet',
  ],
}

export function settleText({ settled, waiting_for = [] }: Settled, target: CommandTarget): string {
  if (settled) return 'Settled, with nothing due or in flight'
  const lines = waiting_for.map(({ what, count }) => {
    const see = what === 'held_by_fault' ? ` (${commandLine('faults', target)})` : ''
    return `  ${count} ${WAITED_FOR[what][count === 1 ? 0 : 1]}${see}`
  })
  return ['Not settled, still waiting for:', ...lines].join('\n')
}
