import { Command, Option } from 'commander'
import type { CheckFlags } from './check.ts'
import {
  collect,
  milliseconds,
  parseWorldName,
  UsageError,
  withChoices,
  withCredentialOptions,
  type Manual,
} from '../../sandbox/internal.ts'

/** Returns the address after `--attach`. Throws UsageError with a remedy. */
function parseBench(text: string): string {
  if (/^https?:\/\/[^/]+\/*$/.test(text)) return text
  throw new UsageError(
    `Cannot attach to "${text}": --attach takes the address of a bench, such as http://127.0.0.1:4011. To use the sandbox of the data folder, put --attach last`,
  )
}

export const CHECK_MANUAL: Manual = {
  about: [
    'Without a URL, and without --config, hookbench.config.ts, .mjs, .js, .json or .yaml in the current folder is used. With --attach, it can be the receiver that is registered there.',
    'A run with the seed of an earlier one repeats its draws with new ids. A receiver that keeps its books need not be emptied.',
    'With --world new, a run has its own world on a running sandbox, and removes the world at its end. "process.start" gets its credentials in HOOKBENCH_CLIENT_ID, HOOKBENCH_CLIENT_SECRET, HOOKBENCH_EMAIL and HOOKBENCH_API_TOKEN. To use the credentials of your receiver, pass --client-id and --client-secret, --email and --api-token.',
  ],
  examples: [
    ['check https://localhost:9443/hooks', 'by its answers alone'],
    ['check', 'by the configuration of this folder'],
    ['check --junit report.xml --markdown summary.md --fail-on should', 'in CI'],
    ['check --watch --failed --bail', 'while you fix it'],
    ['check signature idempotency/same-delivery-again', 'one topic, and one check'],
    [
      'check --attach http://127.0.0.1:4011 --world new',
      'in a world of this run alone, on a sandbox that runs',
    ],
    ['check --explain idempotency/same-delivery-again', 'its requirement, its meaning and the fix'],
  ],
  exitCodes: {
    0: 'nothing failed',
    1: 'something failed, or a known failure passes',
    2: 'wrong use, or a required observation is missing',
    3: 'no verdict, because the receiver or the sandbox could not be reached, or the receiver failed at a basic requirement',
  },
  seeAlso: ['init', 'rehearse', 'register', 'doctor'],
}

export function checkCommand(): Command {
  const command = new Command('check')
    .description('check a receiver by its answers, calls back, effects and process')
    .summary('check a receiver by its answers and effects')
    .argument('[url]', 'its HTTPS URL, in which {object_type} is replaced with the type')
    .argument('[checks...]', 'ids or topics of checks (default: all)')
    .option('--config <file>', 'a configuration, such as "npx hookbench init" writes')
    .option('--junit <file>', 'write a JUnit XML report (- is the standard output)')
    .option('--html <file>', 'write a page with the timeline of each failure')
    .option('--markdown <file>', 'write a summary for a pull request, and long parts into a second file')
    .option('--report-json <file>', 'write the results, for programs')
    .option('--annotations <file>', 'write the failures as annotations of a GitHub workflow')
    .option('--json', 'print the results, for programs')
    .option('--report-full', 'every exchange in --html, --report-json and --json, not only the deciding ones')
    .addOption(
      new Option(
        '--explore <duration>',
        'how long to explore random worlds, such as 60s, or off (default: 5s)',
      ).argParser((text: string) => (text === 'off' ? 0 : milliseconds('--explore', 1_000)(text))),
    )
    .addOption(
      withChoices(
        new Option('--fail-on <severity>', 'the least severe failure that fails the run (default: must)'),
        ['must', 'should'],
      ),
    )
    .option(
      '--require <what>',
      'fail unless this is observed (effects, calls, process or signature, repeatable)',
      collect,
    )
    .option('--failed', 'only the checks that failed when they were run last')
    .option('--bail', 'end at the first failure')
    .option('--watch', 'check again whenever the receiver restarts')
    .option('--seed <number>', 'repeat the draws of a run, with new ids (default: a fresh one)')
    .option('--list', 'list the checks')
    .option('--explain <id>', 'describe a check')
  return withConfigOptions(command).action(
    async (url: string | undefined, names: string[], flags: CheckFlags) => {
      const { check } = await import('./check.ts')
      await check([...(url === undefined ? [] : [url]), ...names], flags)
    },
  )
}

/** Adds options for common keys of the configuration. The options override the file. */
export function withConfigOptions(command: Command): Command {
  const withRunOptions = command
    .option(
      '--port <port>',
      'port of the service API that your receiver calls, 0 for any free port (default: 4010)',
    )
    .option('--data <dir>', 'data folder with the CA (default: .hookbench)')
    .option('--allow-target <host>', 'another host or address range besides loopback (repeatable)', collect)
    .option('--calls-back', 'your receiver calls the service API of this run')
    .option('--no-calls-back', 'your receiver never calls the service API')
    .option('--effects <url>', 'URL of the effects of your platform, with {object_type} and {id}')
    .option('--settle <ms>', 'longest time until an effect appears, in ms (default: 5000)')
    .addOption(
      new Option(
        '--attach [url]',
        'use a running sandbox, by the address of its bench (default: the one of the data folder)',
      )
        .argParser(parseBench)
        .conflicts(['port', 'allowTarget']),
    )
    .addOption(
      new Option(
        '--world <name>',
        'use this world of the running sandbox, or "new" for a world of this run alone',
      )
        .argParser(parseWorldName)
        .conflicts(['port', 'allowTarget']),
    )
    .option(
      '--ttl <duration>',
      'lifetime of the world of --world new, longer than a run takes, in seconds or as 30m (default: 2h)',
      milliseconds('--ttl', 1_000),
    )
  return withCredentialOptions(withRunOptions)
}

export async function listCheckNames(): Promise<
  readonly { readonly value: string; readonly about: string }[]
> {
  const { catalogue } = await import('../catalogue.ts')
  const { topicOf } = await import('../run/select.ts')
  const topics = Map.groupBy(catalogue, topicOf)
  return [
    ...[...topics].map(([topic, of]) => ({ value: topic, about: `all ${of.length} checks of this topic` })),
    ...catalogue.map(({ id, requirement }) => ({ value: id, about: requirement })),
  ]
}
