import { Argument, Command } from 'commander'
import type { Clock } from '../../spec/generated/control-types.ts'
import { FASTEST } from '../engine/core/ports.ts'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { UsageError } from './failure.ts'
import { refuseOthers, subcommand } from './subcommands.ts'

interface SetFlags extends BenchFlags {
  readonly speed?: number
}

const EXAMPLES = `
Examples:
  npx hookbench clock set manual                    it stands still; "npx hookbench advance 25m" moves it
  npx hookbench clock set compressed --speed 300    five minutes in a second`

export function clockCommand(): Command {
  const command = new Command('clock')
    .description("show the sandbox's clock, or set how it moves")
    .allowExcessArguments()
  return withBenchOptions(command)
    .action(async (flags: BenchFlags) => {
      refuseOthers(command)
      const clock = await connect(flags)('getClock')
      print(clock, clockText(clock), flags)
    })
    .addCommand(setCommand())
}

function setCommand(): Command {
  return subcommand('set', 'set how it moves; it goes on from where it stands')
    .addArgument(
      new Argument('<mode>', 'the pace of real time, by hand, or many times faster').choices([
        'real',
        'manual',
        'compressed',
      ]),
    )
    .option(
      '--speed <factor>',
      'sandbox seconds per real second, with compressed (default: 300)',
      (text: string) => speedOf(text),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (...[mode, _, command]: [Clock['mode'], object, Command]) => {
      const flags: SetFlags = command.optsWithGlobals()
      const { speed } = flags
      if (speed !== undefined && mode !== 'compressed') {
        throw new UsageError(
          `Cannot set the clock to ${mode} at speed ${speed}: only a compressed clock has a speed; leave out --speed, or say "compressed"`,
        )
      }
      const clock = await connect(flags)('setClock', {
        body: { mode, ...(speed === undefined ? {} : { speed }) },
      })
      print(clock, clockText(clock), flags)
    })
}

function speedOf(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value > 0 && value <= FASTEST) return value
  throw new UsageError(
    `Cannot run at speed "${text}": it takes a number above 0, at most ${FASTEST}; "clock set manual" stands still`,
  )
}

const PACE: { readonly [Mode in Clock['mode']]: (speed: number) => string } = {
  real: () => 'real time',
  manual: () => 'moved by "npx hookbench advance"',
  compressed: (speed) => `${speed} times real time`,
}

/** What a clock shows and what moves it. */
export function clockText({ mode, speed, now }: Clock): string {
  return `The clock shows ${now}; ${mode === 'real' ? '' : `${mode}: `}${PACE[mode](speed)}`
}
