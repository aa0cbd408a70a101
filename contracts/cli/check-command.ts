import { Command, Option } from 'commander'
import type { CheckFlags } from './check.ts'

export const DEFAULT_PORT = '4010'
export const DEFAULT_DATA = '.hookbench'

const collect = (value: string, earlier: readonly string[] = []) => [...earlier, value]

export function checkCommand(): Command {
  return new Command('check')
    .description('judge a receiver by its answers, with a sandbox of its own in memory')
    .argument('[url]', 'its HTTPS URL; {object_type} stands for the type')
    .argument('[checks...]', 'ids or topics of checks; all if left out')
    .option(
      '--port <port>',
      'where the service listens for the receiver to ask back, 0 for any free port',
      DEFAULT_PORT,
    )
    .addOption(new Option('--data <dir>', 'data folder with the CA').default(DEFAULT_DATA))
    .option('--allow-target <host>', 'a host or address range beside loopback; repeatable', collect)
    .option('--list', 'list the checks')
    .option('--json', 'the result as JSON')
    .action(async (url: string | undefined, names: string[], flags: CheckFlags) => {
      const { check } = await import('./check.ts')
      await check(url, names, flags)
    })
}
