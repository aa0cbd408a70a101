import { Command, Option } from 'commander'
import { SHAPES } from '../load/schedule.ts'
import { withConfigOptions } from './check-command.ts'
import type { LoadCommandFlags } from './load.ts'
import { collect, withChoices, type Manual } from '../../sandbox/internal.ts'

export const LOAD_MANUAL: Manual = {
  about: [
    'The sender sends each notification at its due time, and does not wait for earlier responses. The latency is measured from the due time. The sender does not resend rejected notifications. The run creates the objects and payments in its own service, so your receiver can call the service. With --attach, the run uses the running sandbox, and restores its world afterwards.',
    'At the end, the run compares the effects on your platform with the service, if effects are configured. Each paid object must have one effect, and every other object none. The result says whether the sender or your receiver was the bottleneck.',
    'Without a URL, the command uses the receiver of the configuration (--config, or hookbench.config.ts, .mjs, .js, .json or .yaml here). If the configuration names no receiver, the command uses the receiver that is registered at the running sandbox.',
  ],
  examples: [
    ['load https://localhost:9443/hooks --rate 200 --for 30s', 'send a payment of each kind in turn'],
    [
      'load --rate 2000 --for 60s --shape ramp --mix items=3,transactions=1 --payments card-payin=2',
      'by weight',
    ],
    [
      'load --rate 500 --max-p99 250 --html load.html',
      'fail if the 99th percentile exceeds 250 ms, and write a page with charts',
    ],
  ],
  exitCodes: {
    0: 'nothing failed',
    1: 'your receiver rejected notifications, was slower than --max-p99, or has wrong effects',
    2: 'incorrect usage',
    3: 'no verdict, because your receiver was not reached, the sender was the bottleneck, or the effects could not be read',
  },
  seeAlso: ['check', 'rehearse', 'init'],
}

export function loadCommand(): Command {
  const command = new Command('load')
    .description('send your receiver many notifications per second, and compare its effects')
    .summary('send many notifications per second, and compare the effects')
    .argument('[url]', 'the HTTPS URL of your receiver, with {object_type} in place of the type')
    .option('--rate <number>', 'highest rate in notifications per second (default: 100)')
    .option('--for <duration>', 'duration of the load, such as 60s or 10m (default: 10s)')
    .addOption(
      withChoices(
        new Option('--shape <shape>', 'how the rate changes, steady, ramp, burst or sine (default: steady)'),
        Object.keys(SHAPES),
      ),
    )
    .option(
      '--mix <weights>',
      'weights of objects that change without a payment, such as items=3,transactions=1',
      collect,
    )
    .option(
      '--payments <weights>',
      'weights of complete payments, such as card-payin=2,direct-debit-payin:failed_direct_debit=1 (default: one of each kind)',
      collect,
    )
    .option('--connections <number>', 'maximum number of connections at once (default: 512)')
    .option('--max-p99 <ms>', 'fail if the 99th percentile of the latency exceeds this time')
    .option(
      '--compare <number>',
      'number of objects to compare at the end, or all (default: 10000, or 500 with an effects command)',
    )
    .option('--html <file>', 'write a page with charts (- is the standard output)')
    .addOption(new Option('--json', 'print all results as JSON'))
    .option('--config <file>', 'a configuration file, for example from "npx hookbench init"')
    .option(
      '--seed <number>',
      'repeat the random choices of an earlier run, with new ids (default: a new seed)',
    )
  return withConfigOptions(command).action(async (url: string | undefined, flags: LoadCommandFlags) => {
    const { loadInTerminal } = await import('./load.ts')
    await loadInTerminal(url, flags)
  })
}
