import { Command, Option } from 'commander'
import { SHAPES } from '../load/schedule.ts'
import { withConfigOptions } from './check-command.ts'
import type { LoadCommandFlags } from './load.ts'
import { withChoices, type Manual } from '../../sandbox/internal.ts'

const collect = (value: string, earlier: readonly string[] = []) => [...earlier, value]

/** What the help of the command says beside its arguments and options. */
export const LOAD_MANUAL: Manual = {
  about: [
    "Each notification leaves when it is due, whether those before it were answered or not, and its latency counts from then. What your receiver does not accept is not sent again. The objects and payments are made at a service of the run's own, or with --attach at the sandbox that runs, so that your receiver may ask back; what runs already is put back afterwards as it was.",
    'At the end, where effects are configured, they are compared with what the service says: one for each object that was paid, none for any other. Where the sender was the limit, and not your receiver, it says so.',
    'A load with the seed of an earlier one is about the same objects: a platform that keeps what it knows has to be emptied first.',
    'Without a URL the receiver is that of --config, or of hookbench.config.ts, .mjs, .js, .json or .yaml in the current folder, or else the one that is registered at the sandbox that runs.',
  ],
  examples: [
    ['load https://localhost:9443/hooks --rate 200 --for 30s', 'a payment of each kind in turn'],
    [
      'load --rate 2000 --for 60s --shape ramp --mix items=3,transactions=1 --payments card-payin=2',
      'by weight',
    ],
    ['load --rate 500 --max-p99 250 --html load.html', 'fail beyond 250 ms, and write a page with the curve'],
  ],
  exitCodes: {
    0: 'nothing failed',
    1: 'your receiver did not accept all, was slower than --max-p99, or its effects are not what the service says',
    2: 'wrong use',
    3: 'nothing is known: it could not be reached, the sender was the limit, or the effects could not be read',
  },
  seeAlso: ['check', 'rehearse', 'init'],
}

export function loadCommand(): Command {
  const command = new Command('load')
    .description(
      'send your receiver many notifications a second, and compare what it did with what it should',
    )
    .summary('send many notifications a second, and compare the books')
    .argument('[url]', "your receiver's HTTPS URL; {object_type} stands for the type")
    .option('--rate <number>', 'notifications a second, at the most (default: 100)')
    .option('--for <duration>', 'how long, such as 60s or 10m (default: 10s)')
    .addOption(
      withChoices(
        new Option('--shape <shape>', 'how the rate changes: steady, ramp, burst or sine (default: steady)'),
        Object.keys(SHAPES),
      ),
    )
    .option('--mix <weights>', 'objects that change by themselves, such as items=3,transactions=1', collect)
    .option(
      '--payments <weights>',
      'whole payments, such as card-payin=2,direct-debit-payin:failed_direct_debit=1 (default: one of each kind)',
      collect,
    )
    .option('--connections <number>', 'how many may be under way at once (default: 512)')
    .option('--max-p99 <ms>', 'fail if one in a hundred takes longer')
    .option(
      '--compare <number>',
      'how many objects are compared at the end, or all (default: 10000; 500 by a command)',
    )
    .option('--html <file>', 'write a page with the curve; - is the standard output')
    .addOption(new Option('--json', 'print everything, for programs'))
    .option('--config <file>', 'a configuration; "npx hookbench init" writes one')
    .option('--seed <number>', 'the same objects again (default: fresh ones)')
  return withConfigOptions(command).action(async (url: string | undefined, flags: LoadCommandFlags) => {
    const { loadInTerminal } = await import('./load.ts')
    await loadInTerminal(url, flags)
  })
}
