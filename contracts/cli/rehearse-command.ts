import { Command, Option } from 'commander'
import { paymentKinds } from '../../spec/payments.ts'
import { withConfigOptions } from './check-command.ts'
import type { RehearseFlags } from './rehearse.ts'
import { collect, withChoices, type Manual } from '../../sandbox/internal.ts'

export const REHEARSE_MANUAL: Manual = {
  about: [
    'The order uses the notification numbers of "npx hookbench play KIND --dry". A repeated number is a duplicate. @2 is the second delivery in the list. Deliveries that failed or lost their answer are sent again after all other deliveries, because retries come minutes later. Late deliveries come last.',
    'Without a URL, the command uses the receiver of the configuration (--config, or hookbench.config.ts, .mjs, .js, .json or .yaml here). If the configuration names no receiver, the command uses the receiver that is registered at the running sandbox. At the end, the command restores the world of a running sandbox.',
  ],
  examples: [
    ['rehearse card-payin --order 5,1,5', 'rehearse another order, with one notification twice'],
    ['rehearse card-payin --order 2,1,1 --lose @2', 'rehearse a lost notification'],
    [
      'rehearse direct-debit-payin --outcome failed_direct_debit --order 6,2,4 --late @2 --shrink',
      'find the shortest order that fails',
    ],
    [
      'rehearse npp-payin https://localhost:9443/hooks --break-answer @1 --effects http://localhost:3000/effects/{object_type}/{id}',
      'rehearse without a configuration',
    ],
  ],
  exitCodes: {
    0: 'your receiver passed',
    1: 'your receiver failed',
    2: 'incorrect usage',
    3: 'no verdict, because your receiver was not reached, or no configuration shows your effects',
  },
  seeAlso: ['play', 'check', 'faults add'],
}

export function rehearseCommand(): Command {
  const command = new Command('rehearse')
    .description('play a new payment, notify your receiver in any order, and check its effects')
    .summary('notify your receiver in any order, and check its effects')
    .argument('[kind]', `one of ${paymentKinds.join(', ')}`)
    .argument('[url]', 'the HTTPS URL of your receiver, with {object_type} in place of the type')
    .option('--order <numbers>', 'order of the notifications, by their numbers (default: as documented)')
    .option('--lose <deliveries>', 'deliveries that never arrive, such as @2 or @2,@3 (repeatable)', collect)
    .option(
      '--break-answer <deliveries>',
      'deliveries whose response is lost, so that they are retried',
      collect,
    )
    .option('--late <deliveries>', 'deliveries that arrive a day late, after all other deliveries', collect)
    .option('--callback <deliveries>', 'deliveries that are also sent as callbacks', collect)
    .option('--outcome <state>', 'the final state, such as failed_direct_debit')
    .option('--via <form>', 'the route of an NPP pay-in: pay-id, crn or virtual-account')
    .option('--amount <minor units>', 'amount in minor units, such as 1200 for 12.00')
    .addOption(
      withChoices(
        new Option(
          '--pace <pace>',
          'stepwise waits for your receiver after each delivery, instant does not (default: stepwise)',
        ),
        ['stepwise', 'instant'],
      ),
    )
    .option('--case <json>', 'a failing case from check, instead of a kind and an order')
    .option('--shrink', 'if the order fails, find the shortest order that fails in the same way')
    .addOption(
      new Option(
        '--vitest',
        'print a vitest test that repeats the rehearsal, and write the report to standard error',
      ).conflicts('json'),
    )
    .option('--json', 'print all results as JSON, with the vitest test')
    .option('--config <file>', 'a configuration file, for example from "npx hookbench init"')
    .option(
      '--seed <number>',
      'repeat the random choices of an earlier run, with new ids (default: a new seed)',
    )
  return withConfigOptions(command).action(
    async (kind: string | undefined, url: string | undefined, flags: RehearseFlags) => {
      const { rehearseCaseInTerminal, rehearseInTerminal } = await import('./rehearse.ts')
      if (flags.case !== undefined) await rehearseCaseInTerminal(flags.case, url ?? kind, flags)
      else await rehearseInTerminal({ kind, url }, flags)
    },
  )
}
