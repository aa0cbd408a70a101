import { Command } from 'commander'
import { port, upOptions, withUpOptions } from './up-options.ts'

/** Its speed shows retries within seconds; its folder keeps its registration out of the way of yours. */
const DEFAULTS = { speed: 300, data: '.hookbench-demo' }

export function demoCommand(): Command {
  const command = new Command('demo')
    .description('start the sandbox with an example receiver, and play item changes of which some fail first')
    .summary('start it with an example receiver and item changes')
  return withUpOptions(command, DEFAULTS)
    .option('--receiver-port <port>', 'port of the example receiver, 0 for any free one', port, 9443)
    .option('--json', 'one JSON object a line instead of text')
    .action(async (flags) => {
      const options = await upOptions(flags, DEFAULTS)
      const { runDemo } = await import('./demo.ts')
      await runDemo(options, { receiverPort: flags.receiverPort, json: flags.json === true })
    })
}
