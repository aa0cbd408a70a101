import { Command } from 'commander'
import { commandLine } from '../engine/core/command-line.ts'
import { openDashboard } from './dashboard-address.ts'
import { fitTable } from './fit-table.ts'
import { withListenOptions } from './listen-options.ts'
import { untilStopped } from './stop-signals.ts'
import { terminalWidth } from './terminal.ts'
import type { Judge } from '../api/control/judge.ts'
import { parsePort, upOptions, withUpOptions, type UpOptions } from './up-options.ts'

const OPEN = 'show the dashboard in your browser'

/** Loads what judges the receiver that is registered, with what it goes by. */
export type LoadJudge = (options: {
  /** The configuration that was named. */
  readonly config: string | undefined
  readonly data: string
  readonly credentials: UpOptions['settings']['credentials']
}) => Promise<Judge>

/** The judge of this sandbox, if there is any. */
function judgeFor(
  load: LoadJudge | undefined,
  { data, settings: { credentials } }: UpOptions,
  config: string | undefined,
): { readonly judge?: () => Promise<Judge> } {
  return load ? { judge: () => load({ config, data, credentials }) } : {}
}

export function upCommand(loadJudge?: LoadJudge): Command {
  const command = new Command('up').description(
    'start the sandbox: the service API and the bench, until Ctrl-C',
  )
  return withListenOptions(withUpOptions(command))
    .option('--open', OPEN)
    .option('--json', 'one JSON object a line instead of text')
    .action(async (flags) => {
      const options = await upOptions(flags)
      const { closeWhenStopped, printJson, runSandbox } = await import('./run-sandbox.ts')
      const stopped = untilStopped()
      const json = flags.json === true
      const sandbox = await runSandbox(options, { json, ...judgeFor(loadJudge, options, flags.config) })
      if (flags.open === true) void openDashboard(sandbox)
      if (!json) console.log(formatNextSteps(options.data))
      await closeWhenStopped(sandbox, stopped)
      if (json) printJson({ event: 'stopped' })
      else console.log('\nStopped')
    })
}

const STEPS = [
  ['cert localhost', 'a certificate for your receiver'],
  ['register https://localhost:PORT/PATH --type items', 'where it listens'],
  ['create items amount=1200', 'the first notification'],
] as const

function formatNextSteps(folder: string): string {
  const rows = STEPS.map(([step, what]) => [commandLine(step, folder), what])
  const lines = fitTable(rows, terminalWidth() - 2, true).split('\n')
  return `Next, in another terminal:\n${lines.map((line) => `  ${line}`).join('\n')}\n`
}

/** Its speed shows retries within seconds; its folder keeps its registration out of the way of yours. */
const DEMO_DEFAULTS = { speed: 300, data: '.hookbench-demo' }

export function demoCommand(loadJudge?: LoadJudge): Command {
  const command = new Command('demo')
    .description(
      'start the sandbox with an example shop, and play a payment of which some notifications fail first',
    )
    .summary('start it with an example shop and a payment')
  return withUpOptions(command, DEMO_DEFAULTS)
    .option('--receiver-port <port>', 'port of the example receiver, 0 for any free one', parsePort, 9443)
    .option('--open', OPEN)
    .option('--json', 'one JSON object a line instead of text')
    .action(async (flags) => {
      const options = await upOptions(flags, DEMO_DEFAULTS)
      const { demoConfigPath, runDemo } = await import('./demo.ts')
      const { receiverPort, json = false, open = false } = flags
      const judged = judgeFor(loadJudge, options, demoConfigPath(options.data))
      await runDemo(options, { receiverPort, json, open, ...judged })
    })
}
