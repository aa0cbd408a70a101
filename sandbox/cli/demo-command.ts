import { Command } from 'commander'
import { port, upOptions, withUpOptions } from './up-options.ts'

export function demoCommand(): Command {
  const command = new Command('demo').description(
    'start the sandbox with an example receiver, and play item changes of which some fail first',
  )
  return withUpOptions(command)
    .option('--receiver-port <port>', 'port of the example receiver, 0 for any free one', port, 9443)
    .action(async (flags) => {
      const options = await upOptions(flags, { speed: 300 })
      const { runDemo } = await import('./demo.ts')
      await runDemo(options, flags.receiverPort)
    })
}
