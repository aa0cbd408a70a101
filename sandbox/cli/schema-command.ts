import { Command } from 'commander'
import { correctSpelling } from '../../spec/nearest.ts'
import { toPrintableJson } from '../engine/core/printable.ts'
import { UsageError } from './failure.ts'

export function schemaCommand(): Command {
  return new Command('schema')
    .description('print the JSON Schema of what a command prints with --json, or of all commands')
    .summary('print the schema of what a command prints with --json')
    .argument(
      '[command...]',
      'its words, such as jobs, or faults add; error for what goes to the standard error',
    )
    .action(async (words: readonly string[]) => {
      const { default: document } = await import('../../spec/generated/command-output.schema.json', {
        with: { type: 'json' },
      })
      console.log(
        toPrintableJson(words.length === 0 ? document : commandSchema(document, words.join(' ')), 2),
      )
    })
}

interface SchemaDocument {
  readonly $schema: string
  readonly $defs: Readonly<Record<string, object>>
}

/** The schema of one command, with the definitions that it needs and no others. Throws UsageError with what was meant. */
export function commandSchema({ $schema, $defs }: SchemaDocument, name: string): object {
  const schema = isCommand(name) ? $defs[name] : undefined
  if (!schema) {
    const meant = correctSpelling(name, Object.keys($defs).filter(isCommand))
    const remedy =
      meant === undefined ? '"npx hookbench schema" prints all that there are' : `did you mean "${meant}"?`
    throw new UsageError(`Cannot show the schema of "${name}": no such command prints JSON; ${remedy}`)
  }
  const needed = new Set<string>()
  const visit = (part: object): void => {
    for (const [, target = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)) {
      if (needed.has(target)) continue
      needed.add(target)
      visit($defs[target] ?? {})
    }
  }
  visit(schema)
  const parts = [...needed].toSorted().map((each) => [each, $defs[each] ?? {}] as const)
  return { $schema, ...schema, $defs: Object.fromEntries(parts) }
}

/** Schemas that commands have in common are in capitals. */
const isCommand = (name: string) => /^[a-z]/.test(name)
