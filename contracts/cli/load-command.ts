import { Command, Option } from 'commander'
import { SHAPES } from '../load/schedule.ts'
import { withConfigOptions } from './check-command.ts'
import type { LoadCommandFlags } from './load.ts'
import { collect, withChoices, type Manual } from '../../sandbox/internal.ts'

export const LOAD_MANUAL: Manual = {
  about: [
    'Each notification leaves when it is due, without a wait for earlier responses. Its latency counts from the due time. Rejected notifications are not sent again. The run creates the objects and payments in its own service, so your receiver may ask back. With --attach, it uses the running sandbox, and restores it afterwards.',
    'At the end, configured effects are compared with the service. Each paid object has one effect, any other none. The result says if the sender was the limit, and not your receiver.',
    'A load with the seed of an earlier load creates the same objects again. Empty your platform first.',
    'Without a URL, the configuration names the receiver (--config, or hookbench.config.ts, .mjs, .js, .json or .yaml here). Otherwise, it is the receiver that is registered at the running sandbox.',
  ],
  examples: [
    ['load https://localhost:9443/hooks --rate 200 --for 30s', 'a payment of each kind in turn'],
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
    1: 'your receiver rejected some, was slower than --max-p99, or its effects are wrong',
    2: 'wrong use',
    3: 'no verdict, because your receiver was not reached, the sender was the limit, or the effects could not be read',
  },
  seeAlso: ['check', 'rehearse', 'init'],
}

export function loadCommand(): Command {
  const command = new Command('load')
    .description('send your receiver many notifications a second, and compare its effects')
    .summary('send many notifications a second, and compare the books')
    .argument('[url]', "your receiver's HTTPS URL, in which {object_type} is replaced with the type")
    .option('--rate <number>', 'notifications a second, at the most (default: 100)')
    .option('--for <duration>', 'duration of the load, such as 60s or 10m (default: 10s)')
    .addOption(
      withChoices(
        new Option('--shape <shape>', 'how the rate changes, steady, ramp, burst or sine (default: steady)'),
        Object.keys(SHAPES),
      ),
    )
    .option('--mix <weights>', 'objects that change by themselves, such as items=3,transactions=1', collect)
    .option(
      '--payments <weights>',
      'complete payments, such as card-payin=2,direct-debit-payin:failed_direct_debit=1 (default: one of each kind)',
      collect,
    )
    .option('--connections <number>', 'largest number of connections at once (default: 512)')
    .option('--max-p99 <ms>', 'fail if one notification in a hundred takes longer than this')
    .option(
      '--compare <number>',
      'how many objects are compared at the end, or all (default: 10000, or 500 by a command)',
    )
    .option('--html <file>', 'write a page with charts (- is the standard output)')
    .addOption(new Option('--json', 'print everything, for programs'))
    .option('--config <file>', 'a configuration, such as "npx hookbench init" writes')
    .option(
      '--seed <number>',
      'create the same objects as an earlier run with this seed (default: new objects)',
    )
  return withConfigOptions(command).action(async (url: string | undefined, flags: LoadCommandFlags) => {
    const { loadInTerminal } = await import('./load.ts')
    await loadInTerminal(url, flags)
  })
}
