import * as fc from 'fast-check'
import type { PostgresServer } from '../../support/postgres.ts'
import { commands, type Command } from './commands.ts'
import { tryCommands } from './two-nodes.ts'

/** Undefined if everything held; else what did not, first, and the fewest commands that show it. */
export async function tryCase(server: PostgresServer, number: number): Promise<string | undefined> {
  const property = fc.asyncProperty(commands, async (drawn) => {
    const problems = await tryCommands(server, begin(drawn))
    if (problems.length > 0) throw new Error(problems.join('; '))
  })
  const { failed, counterexample, errorInstance } = await fc.check(property, { seed: number, numRuns: 1 })
  if (!failed) return undefined
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return `${why}\n${begin(counterexample?.[0] ?? [])
    .map((command) => JSON.stringify(command))
    .join('\n')}`
}

/** Whoever begins has the world. */
function begin(drawn: readonly Command[]): readonly Command[] {
  return [{ do: 'take', node: 'one' }, ...drawn]
}
