import { Command, Option } from 'commander'
import { paymentKinds } from '../../spec/payments.ts'
import { withConfigOptions } from './check-command.ts'
import type { RehearseFlags } from './rehearse.ts'
import { withChoices, type Manual } from '../../sandbox/internal.ts'

const collect = (value: string, earlier: readonly string[] = []) => [...earlier, value]

/** What the help of the command says beside its arguments and options. */
export const REHEARSE_MANUAL: Manual = {
  about: [
    'The order has the numbers that "npx hookbench play KIND --dry" prints; a number that stands twice comes twice. @2 is the second delivery of the order. What has failed, and what has lost its answer, is sent again when all others were sent, as the retries come minutes later; what is late comes after that.',
    'Without a URL the receiver is that of --config, or of hookbench.config.ts, .mjs, .js, .json or .yaml in the current folder, or else the one that is registered at the sandbox that runs. What runs already is put back afterwards as it was.',
  ],
  examples: [
    ['rehearse card-payin --order 5,1,5', 'in another order, one of them twice'],
    ['rehearse card-payin --order 2,1,1 --lose @2', 'one of them never arrives'],
    [
      'rehearse direct-debit-payin --outcome failed_direct_debit --order 6,2,4 --late @2 --shrink',
      'the shortest order that fails',
    ],
    [
      'rehearse npp-payin https://localhost:9443/hooks --break-answer @1 --effects http://localhost:3000/effects/{object_type}/{id}',
      'without a configuration',
    ],
  ],
  exitCodes: {
    0: 'your receiver passed',
    1: 'it did not',
    2: 'wrong use',
    3: 'nothing is known: it could not be reached, or no configuration shows what your platform did',
  },
  seeAlso: ['play', 'check', 'faults add'],
}

export function rehearseCommand(): Command {
  const command = new Command('rehearse')
    .description('play a payment anew, notify your receiver of it in any order, and judge what it does')
    .summary('notify your receiver in any order, and judge what it does')
    .argument('[kind]', `one of ${paymentKinds.join(', ')}`)
    .argument('[url]', "your receiver's HTTPS URL; {object_type} stands for the type")
    .option('--order <numbers>', 'the notifications in the order in which they come (default: as documented)')
    .option('--lose <deliveries>', 'these never arrive: @2, or @2,@3; repeatable', collect)
    .option(
      '--break-answer <deliveries>',
      'these arrive, and their answers are lost: they come again',
      collect,
    )
    .option('--late <deliveries>', 'these arrive a day late, after all others', collect)
    .option('--callback <deliveries>', 'these come as callbacks, too', collect)
    .option('--outcome <state>', 'the final state, such as failed_direct_debit')
    .option('--via <form>', 'how an NPP pay-in comes: pay-id, crn or virtual-account')
    .option('--amount <minor units>', 'such as 1200 for 12.00')
    .addOption(
      withChoices(
        new Option(
          '--pace <pace>',
          'stepwise: your receiver is let deal with one before the next comes; instant: it is not (default: stepwise)',
        ),
        ['stepwise', 'instant'],
      ),
    )
    .option('--case <json>', 'a case that check has found, in place of a kind and an order')
    .option('--shrink', 'if it fails, look for the shortest order that fails in the same way')
    .addOption(
      new Option(
        '--vitest',
        'print a vitest test that repeats it; the report goes to the standard error',
      ).conflicts('json'),
    )
    .option('--json', 'print everything, for programs, the test among it')
    .option('--config <file>', 'a configuration; "npx hookbench init" writes one')
    .option('--seed <number>', 'repeat the draws of a run, with new ids (default: a fresh one)')
  return withConfigOptions(command).action(
    async (kind: string | undefined, url: string | undefined, flags: RehearseFlags) => {
      const { rehearseCaseInTerminal, rehearseInTerminal } = await import('./rehearse.ts')
      if (flags.case !== undefined) await rehearseCaseInTerminal(flags.case, url ?? kind, flags)
      else await rehearseInTerminal({ kind, url }, flags)
    },
  )
}
