import { Command } from 'commander'
import { commandLine } from '../engine/core/command-line.ts'
import { openDashboard } from './dashboard-address.ts'
import { fitTable } from './listing.ts'
import { withListenOptions } from './listen-options.ts'
import { untilStopped } from './stop-signals.ts'
import { terminalWidth } from './terminal.ts'
import type { Judge } from '../api/control/judge.ts'
import type { ServeOptions } from '../compose/serve-options.ts'
import { parsePort, upOptions, withStoreOption, withUpOptions, type UpOptions } from './up-options.ts'
import { withManual } from './manual.ts'

const OPEN = 'show the dashboard in your browser'

export type LoadJudge = (options: {
  readonly config: string | undefined
  readonly data: string
  readonly credentials: UpOptions['settings']['credentials']
}) => Promise<Judge>

function judgeFor(
  load: LoadJudge | undefined,
  { data }: UpOptions,
  config: string | undefined,
): Pick<ServeOptions, 'judge'> {
  return load ? { judge: ({ credentials }) => load({ config, data, credentials }) } : {}
}

const LINES =
  'With --json, each line is a JSON object with an "event" (ready, attempt, unsubscribed or stopped).'

const EXIT_CODES = {
  0: 'the sandbox was stopped',
  2: 'usage error, such as a port or a data folder that is already in use',
  4: 'the store is damaged, or has failed',
}

export function upCommand(loadJudge?: LoadJudge): Command {
  const command = withManual(new Command('up'), {
    about: [
      'Your platform calls the service API. You and the Hookbench commands call the bench, which also serves a dashboard. The command prints the addresses, the token and the credentials.',
      'The data folder keeps the store, the local CA and the token. The next start with the same folder continues with this data.',
      'The sandbox has one world, "default". "hookbench worlds add" adds others. HOOKBENCH_WORLD does not apply here.',
      LINES,
    ],
    examples: [
      ['up', 'start on ports 4010 and 4011, with the data folder .hookbench'],
      [
        'up --memory --clock manual',
        'start for tests, without stored data, with a clock that only "advance" moves',
      ],
      [
        'up --port 0 --bench-port 0 --data .hookbench-ci --json',
        'start on free ports, and print the ports in the first line',
      ],
      [
        'up --listen 0.0.0.0 --allowed-host bench.test --token TOKEN --client-secret SECRET --api-token SECRET',
        'start for other machines, over HTTPS',
      ],
      ['up --speed 300 --reading retry-window=five-attempts', 'let five minutes pass in a second'],
    ],
    exitCodes: EXIT_CODES,
    seeAlso: ['demo', 'down', 'ready', 'doctor', 'register', 'worlds'],
  }).description('start the sandbox, with the service API and the bench, until Ctrl-C')
  return withStoreOption(withListenOptions(withUpOptions(command)))
    .option('--open', OPEN)
    .option('--json', 'print one JSON object per line instead of text')
    .action(async (flags) => {
      const options = await upOptions(flags)
      const json = flags.json === true
      const output = { json, ...judgeFor(loadJudge, options, flags.config) }
      const { closeWhenStopped, runSandbox } = await import('./run-sandbox.ts')
      const { printJson } = await import('./up-lines.ts')
      if (options.store) {
        const { runStandby } = await import('./run-standby.ts')
        await runStandby(options, options.store, output)
      } else {
        const stopped = untilStopped()
        const sandbox = await runSandbox(options, output)
        if (flags.open === true) void openDashboard(sandbox)
        if (!json) console.log(formatNextSteps(options, sandbox))
        await closeWhenStopped(sandbox, stopped)
      }
      if (json) printJson({ event: 'stopped' })
      else console.log('\nStopped')
    })
}

const STEPS = [
  ['cert localhost', 'issue a certificate for your receiver'],
  ['register https://localhost:PORT/PATH --type items', 'register the address of your receiver'],
  ['create items amount=1200', 'send the first notification'],
] as const

function formatNextSteps(
  { data, listenAt }: Pick<UpOptions, 'data' | 'listenAt'>,
  { publicUrls }: { readonly publicUrls: { readonly bench: string } },
): string {
  const rows = listenAt
    ? listeningSteps(publicUrls.bench, data)
    : STEPS.map(([step, what]) => [commandLine(step, data), what])
  const lines = fitTable(rows, terminalWidth() - 2, true).split('\n')
  return `Next, in another terminal:\n${lines.map((line) => `  ${line}`).join('\n')}\n`
}

/** Returns the next steps for users on other machines, who have neither the data folder nor its CA. */
function listeningSteps(benchUrl: string, folder: string): readonly (readonly [string, string])[] {
  const certificate = 'cert RECEIVER --with-ca --out certs'
  return [
    [
      commandLine(certificate, folder),
      'issue a certificate for your receiver, and copy the CA for its callers',
    ],
    [
      `export HOOKBENCH_URL=${benchUrl} HOOKBENCH_CA=certs/ca.crt.pem HOOKBENCH_TOKEN`,
      'set these variables on the machines where you run Hookbench commands',
    ],
    [
      'npx hookbench register https://RECEIVER:PORT/PATH --type items',
      'register the address of your receiver',
    ],
    ['npx hookbench create items amount=1200', 'send the first notification'],
  ]
}

/** The default speed and data folder of the demo. At this speed, retries take only seconds. */
const DEMO_DEFAULTS = { speed: 300, data: '.hookbench-demo' }

export function demoCommand(loadJudge?: LoadJudge): Command {
  const command = withManual(new Command('demo'), {
    about: [
      'The shop answers the first two notifications of a deposited payment with 503. The shop ships the order once for each success notification. The demo has its own data folder .hookbench-demo, with a configuration for "check".',
      LINES,
    ],
    examples: [
      ['demo', 'watch the retries'],
      ['demo --open', 'show the retries on the dashboard'],
      ['demo --port 0 --bench-port 0 --receiver-port 0', 'start on free ports'],
    ],
    exitCodes: EXIT_CODES,
    seeAlso: ['up', 'rehearse', 'timeline'],
  })
    .description('start the sandbox with an example shop, and play a payment with some failed notifications')
    .summary('start the sandbox with an example shop and a payment')
  return withUpOptions(command, DEMO_DEFAULTS)
    .option('--receiver-port <port>', 'port of the example receiver, 0 for any free port', parsePort, 9443)
    .option('--open', OPEN)
    .option('--json', 'print one JSON object per line instead of text')
    .action(async (flags) => {
      const options = await upOptions(flags, DEMO_DEFAULTS)
      const { demoConfigPath, runDemo } = await import('./demo.ts')
      const { receiverPort, json = false, open = false } = flags
      const judged = judgeFor(loadJudge, options, demoConfigPath(options.data))
      await runDemo(options, { receiverPort, json, open, ...judged })
    })
}
