import { Command } from 'commander'
import type { InitFlags } from './init.ts'

export function initCommand(): Command {
  return new Command('init')
    .description('write a configuration for "npx hookbench check", with comments')
    .option('--yaml', 'as hookbench.config.yaml')
    .option('--receiver', 'with a careful receiver to start from, in receiver/, for Node')
    .action(async (flags: InitFlags) => {
      const { init } = await import('./init.ts')
      init(flags)
    })
}
