import { Command, Option } from 'commander'
import { withChoices, type Manual } from '../../sandbox/internal.ts'
import type { InitFlags, ReceiverLanguage } from './init.ts'

const LANGUAGES: readonly ReceiverLanguage[] = ['node', 'php', 'python', 'ruby']

export const INIT_MANUAL: Manual = {
  about: ['The command writes the configuration into the current folder, and never overwrites a file.'],
  examples: [
    ['init', 'as hookbench.config.ts'],
    ['init --receiver', 'write an example receiver that passes the checks, and its configuration'],
    ['init --receiver --lang ruby', 'write an example receiver for Ruby (Rack) that needs no npm package'],
    ['init --yaml --json', 'write hookbench.config.yaml, and print its name for a script'],
  ],
  exitCodes: { 0: 'fine', 2: 'invalid arguments, or the configuration already exists' },
  seeAlso: ['check', 'cert'],
}

export function initCommand(): Command {
  return new Command('init')
    .description('write a configuration for "npx hookbench check", with comments')
    .option('--yaml', 'as hookbench.config.yaml')
    .option('--receiver', 'also write an example receiver that passes the checks (default: for Node)')
    .addOption(
      withChoices(
        new Option('--lang <language>', 'language of the receiver (the configuration is written in YAML)'),
        LANGUAGES,
      ),
    )
    .option('--json', 'print the result as JSON')
    .action(async (flags: InitFlags) => {
      const { init } = await import('./init.ts')
      init(flags)
    })
}
