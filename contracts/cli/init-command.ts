import { Command } from 'commander'
import type { InitFlags } from './init.ts'

export function initCommand(): Command {
  return new Command('init')
    .description('write a configuration for "npx hookbench check", with comments')
    .option('--yaml', 'as hookbench.config.yaml')
    .action(async (flags: InitFlags) => {
      const { init } = await import('./init.ts')
      init(flags)
    })
}
