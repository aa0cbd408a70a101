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

function parseBench(text: string): string {
  if (/^https?:\/\/[^/]+\/*$/.test(text)) return text
  throw new UsageError(
    `Cannot attach to "${text}": the value of --attach must be the address of a bench, such as http://127.0.0.1:4011. To use the sandbox of the data folder, write --attach without a value at the end`,
  )
}

export const CHECK_MANUAL: Manual = {
  about: [
    'Without a URL and without --config, the command uses hookbench.config.ts, .mjs, .js, .json or .yaml in the current folder. With --attach, the command can use the receiver that is registered at the sandbox.',
    'A run with the seed of an earlier run repeats its random choices, but with new ids. Because the ids are new, you do not need to delete the data of your receiver.',
    'With --world new, a run adds its own world to a running sandbox, and later removes this world. "process.start" gets the credentials of this world in HOOKBENCH_CLIENT_ID, HOOKBENCH_CLIENT_SECRET, HOOKBENCH_EMAIL and HOOKBENCH_API_TOKEN. To use the credentials of your receiver, pass --client-id and --client-secret, --email and --api-token.',
  ],
  examples: [
    ['check https://localhost:9443/hooks', 'check only the answers of a receiver'],
    ['check', 'check with the configuration in this folder'],
    ['check --junit report.xml --markdown summary.md --fail-on should', 'in CI'],
    ['check --watch --failed --bail', 'rerun the failed checks while you fix the receiver'],
    ['check signature idempotency/same-delivery-again', 'run one topic and one check'],
    ['check --attach http://127.0.0.1:4011 --world new', 'run in a new world of a running sandbox'],
    ['check --explain idempotency/same-delivery-again', 'show the requirement, its meaning and the fix'],
  ],
  exitCodes: {
    0: 'nothing failed',
    1: 'something failed, or a known failure passes',
    2: 'incorrect usage, or a required observation is missing',
    3: 'no verdict, because the receiver or the sandbox was not reached, or the receiver failed a basic requirement',
  },
  seeAlso: ['init', 'rehearse', 'register', 'doctor'],
}

export function checkCommand(): Command {
  const command = new Command('check')
    .description(
      'check a receiver: its answers, its calls to the service, its effects and its behavior across restarts',
    )
    .summary('check a receiver by its answers and effects')
    .argument('[url]', 'the HTTPS URL of the receiver; the object type replaces {object_type}')
    .argument('[checks...]', 'ids or topics of checks (default: all)')
    .option('--config <file>', 'a configuration file, for example from "npx hookbench init"')
    .option('--junit <file>', 'write a JUnit XML report (- is the standard output)')
    .option('--html <file>', 'write a page with the timeline of each failure')
    .option('--markdown <file>', 'write a summary for a pull request, and long parts into a second file')
    .option('--report-json <file>', 'write the results as JSON')
    .option('--annotations <file>', 'write the failures as annotations of a GitHub workflow')
    .option('--json', 'print the results as JSON')
    .option(
      '--report-full',
      'include every exchange in --html, --report-json and --json, not only the exchanges that decided a verdict',
    )
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
      'fail if this observation is missing (effects, calls, process or signature, repeatable)',
      collect,
    )
    .option('--failed', 'run only the checks that failed in their last run')
    .option('--bail', 'end at the first failure')
    .option('--watch', 'run the checks again whenever the receiver restarts')
    .option('--seed <number>', 'repeat the random choices of a run, with new ids (default: a new seed)')
    .option('--list', 'list the checks')
    .option('--explain <id>', 'describe a check')
  return withConfigOptions(command).action(
    async (url: string | undefined, names: string[], flags: CheckFlags) => {
      const { check } = await import('./check.ts')
      await check([...(url === undefined ? [] : [url]), ...names], flags)
    },
  )
}

/** Adds options for configuration keys. The options override the configuration file. */
export function withConfigOptions(command: Command): Command {
  const withRunOptions = command
    .option(
      '--port <port>',
      'port of the service API that your receiver calls, 0 for any free port (default: 4010)',
    )
    .option('--data <dir>', 'data folder with the CA (default: .hookbench)')
    .option(
      '--allow-target <host>',
      'deliver to this host or address range besides loopback (repeatable)',
      collect,
    )
    .option('--calls-back', 'state that your receiver calls the service API of this run')
    .option('--no-calls-back', 'state that your receiver never calls the service API')
    .option('--effects <url>', 'URL that returns the effects on your platform, with {object_type} and {id}')
    .option('--settle <ms>', 'longest time until an effect appears, in ms (default: 5000)')
    .addOption(
      new Option(
        '--attach [url]',
        'use a running sandbox at this bench address (default: the sandbox of the data folder)',
      )
        .argParser(parseBench)
        .conflicts(['port', 'allowTarget']),
    )
    .addOption(
      new Option(
        '--world <name>',
        'use this world of the running sandbox, or "new" for a world only for this run',
      )
        .argParser(parseWorldName)
        .conflicts(['port', 'allowTarget']),
    )
    .option(
      '--ttl <duration>',
      'lifetime of a new world, in seconds or such as 30m, longer than the run (default: 2h)',
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
