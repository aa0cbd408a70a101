import { Command, Option } from 'commander'
import { LANGUAGES } from '../platform/platform-file.ts'
import type { GenerateFlags } from './generate-into.ts'

/** What the help of the command says beside its options, as the commands of the sandbox have it. */
export const GENERATE_MANUAL = {
  about: ['Files that were not generated are never overwritten; what is generated no more is removed.'],
  examples: [
    ['generate --out src/payments', 'types, validators and a parser, as TypeScript'],
    ['generate --out schemas --lang json-schema --vocabulary words.yaml', 'with your words'],
    ['generate --out src/payments --check', 'in CI: is it up to date?'],
  ],
  exitCodes: { 0: 'fine', 1: 'with --check: a file is not as it would be written', 2: 'wrong use' },
  seeAlso: ['up'],
} as const

export function generateCommand(): Command {
  return new Command('generate')
    .description('write types, validators or schemas of the notifications into your own repository')
    .summary('write types or schemas into your own repository')
    .requiredOption('--out <dir>', 'the folder to write into; made if missing')
    .addOption(new Option('--lang <lang>', 'what to write').choices(LANGUAGES).default('ts'))
    .option('--vocabulary <file>', 'your words for the neutral ones, as YAML or JSON; a config file will do')
    .option('--overlay <file>', 'an OpenAPI overlay to apply first, as YAML or JSON')
    .option('--check', 'write nothing; exit code 1 if a file is not as it would be written')
    .option('--json', 'the result as JSON')
    .action(async (flags: GenerateFlags) => {
      const { generateInto } = await import('./generate-into.ts')
      await generateInto(flags)
    })
}
