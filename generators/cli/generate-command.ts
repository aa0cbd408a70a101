import { Command, Option } from 'commander'
import { LANGUAGES } from '../platform/platform-files.ts'
import type { GenerateFlags } from './generate-into.ts'

export const GENERATE_MANUAL = {
  about: [
    'Files that were not generated are never overwritten. Files that are no longer generated are removed.',
  ],
  examples: [
    ['generate --out src/payments', 'types, validators and a parser, as TypeScript'],
    ['generate --out schemas --lang json-schema --vocabulary words.yaml', 'with your words'],
    ['generate --out src/payments --check', 'check in CI that the files are up to date'],
  ],
  exitCodes: { 0: 'fine', 1: 'with --check, a file is not up to date', 2: 'wrong use' },
  seeAlso: ['up'],
} as const

export function generateCommand(): Command {
  return new Command('generate')
    .description('write types, validators or schemas of the notifications into your own repository')
    .summary('write types or schemas into your own repository')
    .requiredOption('--out <dir>', 'the folder to write into, created if missing')
    .addOption(new Option('--lang <lang>', 'what to write').choices(LANGUAGES).default('ts'))
    .option(
      '--vocabulary <file>',
      'a YAML, JSON or config file that maps the words of the document to your words',
    )
    .option('--check', 'write nothing, and exit with 1 if a file is not up to date')
    .option('--json', 'the result as JSON')
    .action(async (flags: GenerateFlags) => {
      const { generateInto } = await import('./generate-into.ts')
      await generateInto(flags)
    })
}
